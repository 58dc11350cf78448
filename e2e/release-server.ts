import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { commentOf, SUMS } from '../program/update/release-files.ts'
import { scratchFolder } from './programs.ts'

/** Version of the fake releases in tests of `vedette update`: `9.9.9`, later than every real one. */
export const NEWER = '9.9.9'

/**
 * How a fake release differs from a correct one in a test: another version, another signing key (`other`), or a wrong checksum (`sum`).
 * Absent fields are correct.
 */
type ReleaseFaults = { readonly version?: string; readonly key?: 'key' | 'other'; readonly sum?: string }

/** HTTP server for tests of `vedette update`, which serves the files of one fake release. `address` is its URL; disposing stops it. */
export type ReleaseServer = AsyncDisposable & {
  readonly address: string
  /** Path of a temporary folder for the test with the public keys `key.pub` and `other.pub` in it. */
  readonly folder: string
  /** Makes the server of fake releases respond at the path `/NAME` with this content. */
  readonly put: (name: string, content: string | Buffer) => void
  /**
   * Serves a fake release with one program, whose file is called `name`: the program, the checksum list and its signature. `faults` makes
   * the release incorrect.
   */
  readonly release: (name: string, program: string | Buffer, faults?: ReleaseFaults) => void
  /** Serves the text `sums` as checksum list of the fake release, and a signature of it; `faults` makes version or key incorrect. */
  readonly sign: (sums: string, faults?: ReleaseFaults) => void
  /**
   * With `true`, the server closes each later connection in the middle of a download of 1 MB and more, as of the program; `false` ends
   * that.
   */
  readonly cutDownloads: (isCut: boolean) => void
}

export const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** Starts the server of fake releases on a free port of the loopback address and resolves with it. Needs the program minisign. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  const scratch = scratchFolder()
  const folder = scratch.path
  const served = join(folder, 'served')
  mkdirSync(served)
  const minisign = (...args: readonly string[]) => execFileSync('minisign', args, { cwd: folder, stdio: 'ignore' })
  for (const key of ['key', 'other']) minisign('-G', '-W', '-p', `${key}.pub`, '-s', `${key}.sec`)
  let isCut = false
  const server = createServer((request, response) => {
    const path = join(served, request.url ?? '')
    if (!existsSync(path)) return void response.writeHead(404).end()
    const content = readFileSync(path)
    response.writeHead(200, { 'content-length': content.length })
    if (!isCut || content.length < 1e6) return void response.end(content)
    // The connection ends in the middle of the download.
    response.write(content.subarray(0, 1e6), () => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number } // a TCP server's

  const put = (name: string, content: string | Buffer): void => writeFileSync(join(served, name), content)
  const sign = (sums: string, { version = NEWER, key = 'key' }: ReleaseFaults = {}): void => {
    put(SUMS, sums)
    minisign('-S', '-s', `${key}.sec`, '-m', join(served, SUMS), '-t', commentOf(version))
  }
  return {
    address: `http://127.0.0.1:${port}`,
    folder,
    put,
    sign,
    release: (name, program, faults = {}) => {
      put(name, program)
      sign(`${faults.sum ?? sha256Of(program)}  ${name}\n`, faults)
    },
    cutDownloads: (cut) => {
      isCut = cut
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      scratch[Symbol.dispose]()
    },
  }
}

/**
 * Tuple for an incorrect release that an update must refuse. It has a description of the fault, a pattern for the refusal's message, and
 * the function that makes the server serve this release.
 */
export type RefusedRelease = readonly [what: string, reason: RegExp, prepare: (server: ReleaseServer) => void]

/**
 * Returns all incorrect releases that every update must refuse. `name` is the program's file name, `program` a small executable of version
 * {@link NEWER} with more than 1 MB.
 */
export const refusedReleases = (name: string, program: string): readonly RefusedRelease[] => [
  ['a signature of another key', /made with another key/, (server) => server.release(name, program, { key: 'other' })],
  ['another program than the signed one', /checksum/, (server) => server.release(name, program, { sum: '0'.repeat(64) })],
  [
    'a changed list of checksums',
    /does not belong/,
    (server) => {
      server.release(name, program)
      server.put(SUMS, `${sha256Of(program)}  ${name}2\n`)
    },
  ],
  [
    'an interrupted download',
    /Cannot download/,
    (server) => {
      server.release(name, program)
      server.cutDownloads(true)
    },
  ],
  [
    'a program of another version than the signed one',
    /is of version 9\.9\.9, expected 9\.9\.8/,
    (server) => server.release(name, program, { version: '9.9.8' }),
  ],
  [
    'a program for another machine',
    /does not run on this machine/,
    (server) => server.release(name, Buffer.from('\u007fELF and nothing more')),
  ],
  ['a release without a program for this machine', /has no file/, (server) => server.sign(`${sha256Of(program)}  vedette-linux-s390x\n`)],
]
