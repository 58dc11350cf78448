import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getAsset, getAssetKeys, isSea } from 'node:sea'
import type { Terminal } from '../../hub/src/cli/command.ts'
import { describeOptions, parseOptions, type Values } from '../../hub/src/startup/options/options.ts'
import { SignatureError } from './minisign.ts'
import { UpdateRefusedError } from './release-files.ts'
import { update } from './update.ts'

/** Name of the embedded file, in the single executable, with the public key (minisign) that verifies releases. */
const RELEASE_KEY = 'release/key.pub'
const REFUSED = 1
const MISUSED = 2
const STANDARD_LISTEN = '127.0.0.1:8090'

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new RangeError(`"${text}" is not an http or https address`)
  return url
}

const options = {
  from: {
    environment: ['VEDETTE_UPDATE_FROM'],
    shape: 'URL',
    doc: 'Address of the folder with the files of a release.',
    parse: parseUrl,
  },
  key: {
    environment: ['VEDETTE_UPDATE_KEY'],
    shape: 'FILE',
    doc: 'Public key that signs releases, in the minisign format. Default: the one within this program.',
    parse: (text: string) => text,
  },
  service: {
    environment: ['VEDETTE_UPDATE_SERVICE'],
    shape: 'NAME',
    doc: 'systemd service to restart, or `none`. Default: vedette.service if it is running.',
    parse: (text: string) => text,
  },
  health: {
    environment: ['VEDETTE_UPDATE_HEALTH'],
    shape: 'URL',
    doc: 'Address that answers with status 200 when the restarted hub works. Default: /api/health at the address of the running hub.',
    parse: parseUrl,
  },
} as const

type Settings = Values<typeof options>

/**
 * Runs `vedette update` with its command line arguments. Resolves with the exit status: 0 updated, up to date or help printed, 1 refused
 * (one sentence is printed), 2 wrong usage. Rejects with an unexpected error.
 */
export async function runUpdate(args: readonly string[], { environment, say, complain }: Terminal): Promise<number> {
  if (args.includes('--help')) {
    say(`vedette update: replaces this program by a newer release\n\n${describeOptions(options)}`)
    return 0
  }
  const parsed = parseOptions(options, args, environment)
  const problems = parsed.ok ? missingIn(parsed.values) : parsed.problems
  for (const problem of problems) complain(problem)
  if (!parsed.ok || problems.length > 0) return MISUSED
  try {
    await updateBy(parsed.values, say)
    return 0
  } catch (error) {
    const sentence = sentenceOf(error)
    if (sentence === undefined) throw error
    complain(sentence)
    return REFUSED
  }
}

const missingIn = ({ from }: Settings): readonly string[] =>
  from === undefined ? ['Give the address of a release with --from URL. No releases are published yet.'] : []

async function updateBy({ from, key, service, health }: Settings, say: (text: string) => void): Promise<void> {
  if (from === undefined || !isSea())
    throw new UpdateRefusedError('Only the single executable updates itself; update the repository with git instead')
  const restarted = service === 'none' ? undefined : (service ?? runningService())
  const healthUrl = health ?? new URL(`http://${restarted === undefined ? STANDARD_LISTEN : listenAddressOf(restarted)}/api/health`)
  await update({ from, publicKey: releaseKey(key), program: process.execPath, service: restarted, healthUrl, say })
}

function releaseKey(file: string | undefined): string {
  if (file !== undefined) return readFileSync(file, 'utf8')
  if (getAssetKeys().includes(RELEASE_KEY)) return getAsset(RELEASE_KEY, 'utf8')
  throw new UpdateRefusedError('This program was built without a key of releases; give one with --key FILE')
}

function runningService(): string | undefined {
  try {
    execFileSync('systemctl', ['is-active', '--quiet', 'vedette.service'])
    return 'vedette.service'
  } catch {
    // There is no systemd, or the hub runs in another way.
    return undefined
  }
}

/**
 * Returns the address on which the hub of a running systemd service listens: `VEDETTE_LISTEN` in the environment of its main process, else
 * the default address. The wildcard address becomes 127.0.0.1.
 */
function listenAddressOf(service: string): string {
  try {
    const pid = execFileSync('systemctl', ['show', '--property=MainPID', '--value', service], { encoding: 'utf8' }).trim()
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    const [, listen = STANDARD_LISTEN] = /^VEDETTE_LISTEN=(.+)$/m.exec(variables.join('\n')) ?? []
    return listen.replace(/^(0\.0\.0\.0|\[::\])(?=:)/, '127.0.0.1')
  } catch {
    return STANDARD_LISTEN
  }
}

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UpdateRefusedError) return error.message
  if (error instanceof SignatureError) return `${error.message}. Nothing was changed.`
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'EACCES' || error.code === 'EROFS') return `Cannot write beside ${process.execPath}: run "sudo vedette update"`
  if (error.code === 'ENOSPC') return `Cannot write beside ${process.execPath}: the disk is full. Nothing was changed.`
  if (error.code === 'ENOENT') return `Cannot read the key: ${error.message}`
  return undefined
}
