/** What is shorter is no secret, and words would be taken apart by it. */
const LEAST_LENGTH = 4

/** A text without the secret parts of an address, as they are and as they stand in addresses. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ])
  const long = [...new Set(all)].filter((secret) => secret.length >= LEAST_LENGTH)
  return long.toSorted((one, other) => other.length - one.length).reduce((left, secret) => left.replaceAll(secret, '***'), text)
}
