import { foreignDatabase, writeForeignHistory } from '../hub/test/transfer/history/foreign-history.ts'

/**
 * Command line arguments of a benchmark's program: file, number of systems, number of containers of each. It writes a database like that of
 * another hub (Beszel), with its schema and retention: 1m 1 h, 10m 12 h, 20m 24 h, 120m 7 days, 480m 30 days. It prints the numbers of rows
 * and values as JSON.
 */
const [, , file = 'data.db', systems = '10', containers = '10'] = process.argv
const database = foreignDatabase(file)
const ids = Array.from({ length: Number(systems) }, (_, index) => `foreign${String(index).padStart(8, '0')}`)
const written = writeForeignHistory(database, { systems: ids, containers: Number(containers), untilMs: Date.now() })
database.close()
process.stdout.write(`${JSON.stringify(written)}\n`)
