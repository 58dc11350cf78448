import { listPath, type RecordsQuery } from './records-page.ts'

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Returns an example for calling the API, as text with two shell commands (`curl`, `jq`): sign in and keep the token, then fetch the
 * records that the page shows. `hub` is the hub's base URL without a slash at its end.
 */
export const callText = (hub: string, query: RecordsQuery): string =>
  [
    `read -r -p 'E-mail: ' EMAIL && read -r -s -p 'Password: ' PASSWORD`,
    `TOKEN=$(jq -n --arg identity "$EMAIL" --arg password "$PASSWORD" '$ARGS.named' |`,
    `  curl -fsS -H 'Content-Type: application/json' --data @- ${shellText(`${hub}/api/collections/users/auth-with-password`)} | jq -r .token)`,
    '',
    `curl -fsS -H "Authorization: $TOKEN" ${shellText(hub + listPath(query))}`,
  ].join('\n')
