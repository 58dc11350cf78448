import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectedMessages, dashboardMessages } from './messages/collected-messages.ts'
import { messagesDocument, withoutRemedy } from './messages/messages-document.ts'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

// Updates the tables of docs/messages.md from the sources. Remedies, the sentences that say what to do, are kept. Messages without one are
// printed.
const path = join(root, 'docs', 'messages.md')
const document = messagesDocument(readFileSync(path, 'utf8'), [...collectedMessages(), ...dashboardMessages()])
writeFileSync(path, document)
process.exitCode = await run('oxfmt', [path])
for (const message of withoutRemedy(document)) console.log(`Say what to do: ${message}`)
