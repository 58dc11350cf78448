import { listPath, type RecordsQuery } from './records-page.ts'

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Returns two shell commands (`curl`, `jq`), as one text, that show how to call the API. The first signs in and stores the token; the
 * second fetches the records of `query`. `hub` is the hub's base URL without a slash at its end.
 */
export const callText = (hub: string, query: RecordsQuery): string =>
  [
    `read -r -p 'E-mail: ' EMAIL && read -r -s -p 'Password: ' PASSWORD`,
    `TOKEN=$(jq -n --arg identity "$EMAIL" --arg password "$PASSWORD" '$ARGS.named' |`,
    `  curl -fsS -H 'Content-Type: application/json' --data @- ${shellText(`${hub}/api/collections/users/auth-with-password`)} | jq -r .token)`,
    '',
    `curl -fsS -H "Authorization: $TOKEN" ${shellText(hub + listPath(query))}`,
  ].join('\n')
