import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf } from '../../records/model/stored-record.ts'

const HEADER = `# Systems of this hub. As config.yml in the data directory it is read at each start: systems that are not
# known yet are made, others updated, and those that came from the file and have left it are deleted.
# The tokens let agents in: keep this file to yourself.

`

/** Exports all systems, sorted by name, as the text of a config.yml. The agents' tokens are in plain text. */
export async function exportSystems(records: RecordStore): Promise<string> {
  const systems = (await records.loadWhere('systems', {})).toSorted((a, b) => textOf(a, 'name').localeCompare(textOf(b, 'name')))
  const tokens = new Map((await records.loadWhere('fingerprints', {})).map((one) => [textOf(one, 'system'), textOf(one, 'token')]))
  const emails = new Map((await records.loadWhere('users', {})).map((one) => [one.id, textOf(one, 'email')]))
  if (systems.length === 0) return `${HEADER}systems: []\n`
  const items = systems.map((system) => {
    const { users } = system
    const shared = (Array.isArray(users) ? users : []).flatMap((id) => emails.get(String(id)) ?? [])
    const port = textOf(system, 'port')
    const token = tokens.get(system.id)
    return [
      `  - name: ${quoted(textOf(system, 'name'))}`,
      `    host: ${quoted(textOf(system, 'host'))}`,
      ...(port === '' ? [] : [`    port: ${/^\d+$/.test(port) ? port : quoted(port)}`]),
      ...(token === undefined ? [] : [`    token: ${quoted(token)}`]),
      ...(shared.length === 0 ? [] : ['    users:', ...shared.map((email) => `      - ${quoted(email)}`)]),
    ].join('\n')
  })
  return `${HEADER}systems:\n${items.join('\n')}\n`
}

/** Returns a text in double quotes, with escapes, as a value for config.yml. The result is valid both in YAML and in JSON. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
