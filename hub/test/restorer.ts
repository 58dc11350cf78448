import { once } from 'node:events'
import { carryOutRestore, finishRestore } from '../src/operations/backups/pending-restore.ts'

/**
 * A process that starts as a hub does where a backup lies ready: says that it is there, waits for a word, restores, and says
 * so. It may be killed at any moment. Arguments: the data directory, the address of the database or nothing.
 */
const [, , directory = '', url = ''] = process.argv
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const at = url === '' ? undefined : url
await carryOutRestore(directory, at)
await finishRestore(directory, at)
process.stdout.write('restored\n')
process.exit()
