import { listPath, type RecordsQuery } from './records-page.ts'

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Two commands: one that signs in and keeps the token, one that asks for what is shown. `hub`: where it is, without a slash at its end. */
export const callText = (hub: string, query: RecordsQuery): string =>
  [
    `read -r -p 'E-mail: ' EMAIL && read -r -s -p 'Password: ' PASSWORD`,
    `TOKEN=$(jq -n --arg identity "$EMAIL" --arg password "$PASSWORD" '$ARGS.named' |`,
    `  curl -fsS -H 'Content-Type: application/json' --data @- ${shellText(`${hub}/api/collections/users/auth-with-password`)} | jq -r .token)`,
    '',
    `curl -fsS -H "Authorization: $TOKEN" ${shellText(hub + listPath(query))}`,
  ].join('\n')
