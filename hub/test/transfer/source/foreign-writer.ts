import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

// Writes rows in pairs to a database in WAL mode, one transaction for each pair, until SIGTERM. Each content fills several pages, and a
// small checkpoint interval makes the WAL begin again often.
const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 5000 })
database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 50')
database.exec('create table if not exists first_half (pair integer, content text)')
database.exec('create table if not exists second_half (pair integer, content text)')
const first = database.prepare('insert into first_half values (?, ?)')
const second = database.prepare('insert into second_half values (?, ?)')
let stopped = false
process.once('SIGTERM', () => (stopped = true))

for (let pair = 0; !stopped; pair += 1) {
  const content = randomBytes(3000).toString('hex')
  database.exec('begin immediate')
  first.run(pair, content)
  second.run(pair, content)
  // The tables stay small.
  database.exec(`delete from first_half where pair < ${pair - 200}; delete from second_half where pair < ${pair - 200}`)
  database.exec('commit')
  if (pair === 20) process.stdout.write('ready\n')
  await new Promise((resolve) => setImmediate(resolve))
}
database.close()
