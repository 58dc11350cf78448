import { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { SQLITE_FILE } from '../../platform/db/sqlite/sqlite.ts'
import { openTlsFiles, type TlsFiles } from '../../platform/http/listening/tls-files.ts'
import { fileProblem } from '../../platform/process/file-problem.ts'
import { shellWord } from '../../platform/process/shell-word.ts'
import { absent, failing, works, type Finding } from './finding.ts'

const MIB = 1024 ** 2
const DAY_MS = 86_400_000
/** Age of the newest backup, in days (8), from which `vedette doctor` reports that backups are too old. */
const OLD_BACKUP_DAYS = 8
/**
 * Time in ms (2 min) by which a file of the hub may be newer than the machine's clock. Beyond it, `vedette doctor` reports that the clock
 * is wrong.
 */
const MOST_AHEAD_MS = 120_000
/** Time in epoch ms (start of 2026) before which this program did not exist. A clock that shows an earlier time is wrong. */
const EARLIEST_MS = Date.UTC(2026, 0, 1)

const bytesText = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Check of `vedette doctor`: resolves to a finding that says whether the data directory exists, and only this user account may use it. */
export async function checkFolder(directory: string): Promise<Finding> {
  const name = 'data folder'
  const facts = await stat(directory).catch(() => undefined)
  if (facts === undefined)
    return failing(name, `${directory} does not exist`, 'start the hub, which creates it, or name another one with --data')
  const mode = (facts.mode & 0o777).toString(8)
  const found = `${directory}, mode ${mode}, user ${facts.uid}`
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return failing(name, `${found}: ${fileProblem(directory, error)}`)
  }
  const me = process.getuid?.() ?? facts.uid
  if (me !== facts.uid && me !== 0)
    return failing(name, `${found}, and this command runs as user ${me}`, `sudo -u '#${facts.uid}' vedette doctor`)
  if ((facts.mode & 0o077) !== 0) return failing(name, `${found}: other accounts can read it`, `chmod 700 ${shellWord(directory)}`)
  return works(name, found)
}

/**
 * Check of `vedette doctor`: resolves to a finding that says whether the disk of the data directory has space for a backup. A backup needs
 * twice the size of the SQLite file plus 64 MiB.
 */
export async function checkSpace(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const needed = 2 * (await sizeOf(join(directory, SQLITE_FILE))) + 64 * MIB
  const found = `${bytesText(free)} free`
  if (free >= needed) return works('space', found)
  return failing('space', `${found}, a backup needs ${bytesText(needed)}`, `free space; see: df -h ${shellWord(directory)}`)
}

/**
 * Check of `vedette doctor`: resolves to a finding that says whether the clock is wrong. It is if it shows a time before the hub's files
 * were written, or before this program existed.
 */
export async function checkClock(directory: string, nowMs: number): Promise<Finding> {
  const times = await Promise.all(
    ['', SQLITE_FILE, 'hub.lock'].map((file) =>
      stat(join(directory, file)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const found = new Date(nowMs).toISOString()
  const remedy = 'timedatectl set-ntp true'
  if (nowMs < EARLIEST_MS) return failing('clock', `${found} is before this program was made`, remedy)
  const newest = Math.max(...times)
  if (newest - nowMs > MOST_AHEAD_MS)
    return failing('clock', `${found}, but a file of the hub is of ${new Date(newest).toISOString()}`, remedy)
  return works('clock', found)
}

/**
 * Check of `vedette doctor`: resolves to a finding that says whether TLS certificate and key can be read, belong together, and are valid
 * now. `files` has their paths; `undefined` without TLS.
 */
export async function checkTls(files: TlsFiles | undefined, nowMs: number): Promise<Finding> {
  if (files === undefined) return absent('TLS', 'not used: the hub serves plain HTTP')
  openTlsFiles(files)
  const { validFromDate, validToDate } = new X509Certificate(await readFile(files.certificate))
  if (validToDate.getTime() <= nowMs)
    return failing(
      'TLS',
      `the certificate expired at ${validToDate.toISOString()}`,
      'renew the certificate; the hub reads the new file by itself',
    )
  if (validFromDate.getTime() > nowMs)
    return failing('TLS', `the certificate is valid from ${validFromDate.toISOString()}`, 'check the clock and the certificate')
  return works('TLS', `valid until ${validToDate.toISOString()}`)
}

/** Check of `vedette doctor`: resolves to a finding about the age of the newest backup (`.zip` file) in a folder and its subfolders. */
export async function checkBackups(folder: string, nowMs: number): Promise<Finding> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const made = await Promise.all(
    names
      .filter((name) => name.endsWith('.zip'))
      .map((name) =>
        stat(join(folder, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
  )
  const remedy = 'vedette backup create; for a schedule, see Backups in the back-office'
  if (made.length === 0) return absent('backups', `none in ${folder}`, remedy)
  const days = Math.max(0, Math.floor((nowMs - Math.max(...made)) / DAY_MS))
  const found = `${made.length}, the newest ${days === 0 ? 'is of today' : `is ${days} days old`}`
  return days < OLD_BACKUP_DAYS ? works('backups', found) : failing('backups', found, remedy)
}
