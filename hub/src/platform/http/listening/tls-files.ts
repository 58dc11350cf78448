import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { errorCode } from '../../error-code.ts'
import type { Log } from '../../log.ts'
import { startLoop, type Loop } from '../../loop.ts'
import { shellWord } from '../../process/shell-word.ts'

/** Paths of the PEM files of a TLS server: `certificate`, with its chain, and `key`, the private key. */
export type TlsFiles = { readonly certificate: string; readonly key: string }

/** Certificate chain (`cert`) and private key (`key`) as PEM, and the lowest TLS version, as options of a Node.js secure context. */
export type TlsPair = Pick<SecureContextOptions, 'cert' | 'key' | 'minVersion'>

/** Error when the hub cannot use the files of its TLS certificate and key. The message is one sentence for the operator. */
export class CertificateUnusableError extends Error {
  override readonly name = 'CertificateUnusableError'
}

/** Maximum size of the TLS certificate or key file, in bytes (1,000,000). The hub does not use a larger file. */
const MOST_BYTES = 1_000_000

/**
 * Interval in ms (1 s) at which the hub reads the modification state of its TLS certificate and key files. A changed certificate is used
 * without a restart.
 */
const CHECK_MS = 1000

function readTlsPair({ certificate, key }: TlsFiles): TlsPair {
  const [cert, secret] = [readPem(certificate), readPem(key)]
  const parsed = parsedCertificate(certificate, cert)
  const privateKey = parsedKey(key, secret)
  if (!parsed.checkPrivateKey(privateKey))
    throw new CertificateUnusableError(
      `Cannot use the key "${key}": it does not belong to the certificate; compare: openssl x509 -noout -pubkey -in ${shellWord(certificate)}; openssl pkey -pubout -in ${shellWord(key)}`,
    )
  const pair = { cert, key: secret, minVersion: 'TLSv1.2' } as const
  try {
    createSecureContext(pair)
  } catch (cause) {
    throw notPem(certificate, cause)
  }
  return pair
}

type FollowParts = { readonly replace: (pair: TlsPair) => void; readonly log: Log }

/**
 * Content of a TLS server's certificate and key files as PEM (`pair`). `follow` watches the files and reports changed ones while the hub
 * runs.
 */
export type FollowedTlsPair = {
  readonly pair: TlsPair
  /**
   * Starts a loop that calls `replace` with the new certificate when the files of certificate and key have changed. Each invalid state of
   * the files is logged once; the old certificate stays. A change counts after 1 s without another one, because the two files are written
   * one after the other.
   */
  readonly follow: (parts: FollowParts) => Loop
}

/**
 * Reads the certificate and key files at these paths and checks that they can be used together. Throws {@link CertificateUnusableError}
 * otherwise.
 */
export function openTlsFiles(files: TlsFiles): FollowedTlsPair {
  // The state is older than the content, so that a change during the start is noticed.
  let used = stateOf(files)
  const pair = readTlsPair(files)
  return {
    pair,
    follow({ replace, log }) {
      let last = used
      let refused = ''
      return startLoop({
        firstMs: CHECK_MS,
        async work() {
          const now = stateOf(files)
          const isSettled = now === last
          last = now
          if (now === used || !isSettled) return CHECK_MS
          replace(readTlsPair(files))
          used = now
          log.info('TLS certificate replaced', { file: files.certificate })
          return CHECK_MS
        },
        retryMs: CHECK_MS,
        onError(error) {
          if (refused !== last) log.error('TLS certificate not replaced, the previous one stays in use', { error })
          refused = last
        },
      })
    },
  }
}

/**
 * Returns a text made from the state of the TLS certificate file and key file (symbolic links are followed). It differs after one of them
 * has changed or disappeared.
 */
function stateOf({ certificate, key }: TlsFiles): string {
  return [certificate, key]
    .map((path) => {
      try {
        const { ino, size, mtimeMs } = statSync(path)
        return `${ino} ${size} ${mtimeMs}`
      } catch (error) {
        return errorCode(error)
      }
    })
    .join()
}

function readPem(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > MOST_BYTES) throw new CertificateUnusableError(`Cannot use "${path}": it is larger than a megabyte`)
    return readFileSync(path, 'latin1')
  } catch (cause) {
    if (cause instanceof CertificateUnusableError) throw cause
    throw new CertificateUnusableError(`Cannot read "${path}": ${readReason(path, errorCode(cause))}`, { cause })
  }
}

function readReason(path: string, code = ''): string {
  if (code === 'ENOENT') return `there is no such file; see: ls -l ${shellWord(path)}`
  if (code === 'EACCES' && !isVisible(path)) return `this account may not enter its folder; find it with: namei -l ${shellWord(path)}`
  if (code === 'EACCES') return `this account may not; run: sudo chown ${process.geteuid?.() ?? ''} ${shellWord(path)}`
  return code
}

/**
 * Returns true when the file at `path` exists and this user account may enter all folders of the path. A refused read is then due to the
 * file's own permissions.
 */
function isVisible(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch {
    return false
  }
}

function parsedCertificate(path: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch (cause) {
    throw notPem(path, cause)
  }
}

const notPem = (path: string, cause: unknown): CertificateUnusableError =>
  new CertificateUnusableError(
    `Cannot use the certificate "${path}": it is not PEM; check it: openssl x509 -noout -text -in ${shellWord(path)}`,
    { cause },
  )

function parsedKey(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    throw new CertificateUnusableError(
      `Cannot use the key "${path}": it is not a PEM key without passphrase; check it: openssl pkey -noout -in ${shellWord(path)}`,
      { cause },
    )
  }
}
