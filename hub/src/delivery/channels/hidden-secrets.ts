/** Minimum length of a secret. Hiding shorter ones would damage ordinary words. */
const LEAST_LENGTH = 4

/** Replaces secrets in a text with `***`, both as they are and URL-encoded. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ])
  const long = [...new Set(all)].filter((secret) => secret.length >= LEAST_LENGTH)
  return long.toSorted((one, other) => other.length - one.length).reduce((left, secret) => left.replaceAll(secret, '***'), text)
}
