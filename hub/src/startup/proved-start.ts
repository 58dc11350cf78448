import { BackupFolderUnusableError } from '../operations/backups/backup-place.ts'
import { finishRestore, isRestoreUnconfirmed, rollBackRestore } from '../operations/backups/pending-restore.ts'
import { HealthUnproved, proveHealth } from '../operations/backups/prove-health.ts'
import { HubKeyUnusable } from '../fleet/ssh/hub-key.ts'
import { SystemFileUnusableError } from '../fleet/enrolment/import-systems.ts'
import { DatabaseUnusableError } from '../platform/db/database.ts'
import { HubMessagesUnusableError } from '../platform/cluster/hub-messages.ts'
import { HubRefusedError } from '../platform/cluster/membership.ts'
import { AddressUnusableError } from '../platform/http/listening/listen.ts'
import { CertificateUnusableError } from '../platform/http/listening/tls-files.ts'
import type { LogOf } from '../platform/log.ts'
import { SecretsUnusableError } from '../platform/secrets/open-secrets.ts'
import type { HubConfig } from './config.ts'
import { DataDirectoryUnusableError } from './data-directory.ts'

/** Thrown when the hub cannot start. The message is one sentence for the operator. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError'
}

type Start<Started> = (stack: AsyncDisposableStack) => Promise<Started>

type Closeable = { readonly close: () => Promise<void> }

/**
 * Starts the hub and resolves to it. After a restore, its health check must succeed; otherwise the restore is rolled back and the hub
 * starts a second time, on the old data. Rejects with {@link UnusableError}, after closing everything, when the hub cannot start.
 */
export async function startProved<Started extends { readonly address: string }>(
  config: HubConfig,
  logOf: LogOf,
  start: Start<Started>,
): Promise<Started & Closeable> {
  const tryOnce = () => tryToStart(config, logOf, start)
  return (await tryOnce()) ?? (await tryOnce()) ?? Promise.reject(new UnusableError('Cannot start the hub'))
}

/**
 * Starts the hub once and resolves to it. If a restored backup makes the start fail, rolls the restore back and resolves to `undefined`:
 * the hub must be started again. Rejects for any other failure.
 */
async function tryToStart<Started extends { readonly address: string }>(config: HubConfig, logOf: LogOf, start: Start<Started>) {
  await using stack = new AsyncDisposableStack()
  const { dataDirectory: directory, database } = config
  try {
    const started = await start(stack)
    if (isRestoreUnconfirmed(directory)) await proveHealth(started.address, basePathOf(config.appUrl))
    const opened = stack.move()
    // The next start removes the old data if this fails.
    await finishRestore(directory, database?.url.reveal()).catch((error: unknown) =>
      logOf('backups').error('data from before the restore not removed yet', { error }),
    )
    return { ...started, close: () => opened.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    const isUndone = isOfData(error) && (await undoRestore(config, logOf))
    if (isUndone) {
      logOf('backups').error('the restored backup cannot be used; everything is as it was before', { error })
      return undefined
    }
    throw isForOperators(error) ? new UnusableError(error.message, { cause: error }) : error
  }
}

/**
 * Rolls a restored backup back to the data from before the restore. Resolves to true when there was one to roll back; false otherwise and
 * after an error, which is logged.
 */
async function undoRestore({ dataDirectory, database }: HubConfig, logOf: LogOf): Promise<boolean> {
  try {
    return await rollBackRestore(dataDirectory, database?.url.reveal())
  } catch (error) {
    logOf('backups').error('the restore cannot be undone now', { error })
    return false
  }
}

/** Returns the path of the hub's public URL without a trailing slash, such as `/monitor`; `''` for no path or no URL. */
export function basePathOf(appUrl: string | undefined): string {
  return appUrl === undefined ? '' : new URL(appUrl).pathname.replace(/\/$/, '')
}

const dataErrors = [
  DatabaseUnusableError,
  HealthUnproved,
  DataDirectoryUnusableError,
  HubKeyUnusable,
  SecretsUnusableError,
  SystemFileUnusableError,
]
const isOfData = (error: unknown): boolean => dataErrors.some((kind) => error instanceof kind)

const isForOperators = (error: unknown): error is Error =>
  [AddressUnusableError, CertificateUnusableError, BackupFolderUnusableError, HubRefusedError, HubMessagesUnusableError].some(
    (kind) => error instanceof kind,
  ) || isOfData(error)
