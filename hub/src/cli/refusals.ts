import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { HubKeyUnusable } from '../fleet/ssh/hub-key.ts'
import { BackupRefusedError } from '../operations/backups/archive/backup-error.ts'
import { BackupFolderUnusableError } from '../operations/backups/backup-place.ts'
import { ConfigRefusedError } from '../operations/configuration/config-problem.ts'
import { ExportRefusedError } from '../operations/transfer/export/export-hub.ts'
import { UnknownSuperuserError } from '../operations/transfer/records/accounts.ts'
import { TransferRefusedError } from '../operations/transfer/source/transfer-refused-error.ts'
import { DatabaseUnusableError } from '../platform/db/database.ts'
import { SecretsUnusableError } from '../platform/secrets/open-secrets.ts'
import { DataDirectoryUnusableError } from '../startup/data-directory.ts'
import { CommandRefusedError } from './command.ts'

/**
 * Returns true for errors whose message is a sentence for the operator and can be printed without a stack. Other errors are bugs of this
 * program.
 */
export function isForPeople(error: unknown): error is Error {
  const kinds = [
    BackupFolderUnusableError,
    BackupRefusedError,
    CommandRefusedError,
    ConfigRefusedError,
    DatabaseUnusableError,
    DataDirectoryUnusableError,
    ExportRefusedError,
    HubKeyUnusable,
    SecretsUnusableError,
    TransferRefusedError,
    UnknownSuperuserError,
    RangeError,
  ]
  return kinds.some((kind) => error instanceof kind)
}

/**
 * Function that a command calls when the database has tables of an older version; always rejects with a DatabaseUnusableError. The command
 * must not upgrade these tables, because a hub of that version may be running.
 */
export function refuseOlder(): Promise<never> {
  const sentence = `Cannot use the database: it has the tables of an older version than this one, ${VEDETTE_VERSION}; start the hub, which makes a backup and upgrades them, or use the older version`
  return Promise.reject(new DatabaseUnusableError(sentence))
}
