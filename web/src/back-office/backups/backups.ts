import { queryOptions } from '@tanstack/react-query'
import { getJson, sendRequest } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { basePath } from '../../base-path.ts'

export type BackupFile = { readonly name: string; readonly bytes: number | undefined; readonly madeAtMs: number | undefined }

/**
 * Backup operation that the hub is executing: `what` it does, name of the backup, and `share`, the progress from 0 to 1 (`undefined` when
 * unknown).
 */
export type BackupWork = { readonly what: string; readonly name: string; readonly share: number | undefined }

export type BackupsState = { readonly backups: readonly BackupFile[]; readonly working: BackupWork | undefined }

export const WORKING_MS = 1000
const RESTING_MS = 30_000
/** Timeout in ms of a request for a backup operation: 1 h, because the hub may have to read and write gigabytes. */
const WORK_DEADLINE_MS = 3_600_000

export const backupsQuery = queryOptions({
  queryKey: officeKeys.backups,
  queryFn: async ({ signal }): Promise<BackupsState> => stateOf(await getJson('/api/vedette/backups', signal)),
  refetchInterval: ({ state }) => (state.data?.working === undefined ? RESTING_MS : WORKING_MS),
})

/**
 * Parses the hub's JSON response about backups. Returns the list of backup files, newest first, and the operation that is running
 * (`undefined` for none).
 */
export function stateOf(answer: unknown): BackupsState {
  const { backups, working } = recordOf(answer)
  const files = listOf(backups).map((one) => {
    const { name, bytes, modifiedAtMs } = recordOf(one)
    return { name: textOf(name) ?? '', bytes: numberOf(bytes), madeAtMs: numberOf(modifiedAtMs) }
  })
  return { backups: files.toReversed(), working: workOf(working) }
}

function workOf(working: unknown): BackupWork | undefined {
  const { what, name, doneBytes, totalBytes } = recordOf(working)
  if (textOf(what) === undefined) return undefined
  const [done, total] = [numberOf(doneBytes), numberOf(totalBytes)]
  const share = done === undefined || total === undefined || total === 0 ? undefined : Math.min(done / total, 1)
  return { what: textOf(what) ?? '', name: textOf(name) ?? '', share }
}

const pathOf = (name: string): string => `/api/vedette/backups/${encodeURIComponent(name)}`

export const deleteBackup = (name: string): Promise<unknown> => sendRequest('DELETE', `/api/backups/${encodeURIComponent(name)}`)

export type BackupConfirmation = { readonly password: string; readonly passphrase: string }

/**
 * Returns the JSON body of a request for a backup operation: the admin's password, and the passphrase that encrypts the backup; an empty
 * passphrase is left out.
 */
const filled = ({ password, passphrase }: BackupConfirmation) => ({ password, ...(passphrase === '' ? {} : { passphrase }) })

export const makeBackup = (confirmed: BackupConfirmation): Promise<unknown> =>
  sendRequest('POST', '/api/vedette/backups', filled(confirmed), { deadlineMs: WORK_DEADLINE_MS })
export const verifyBackup = (name: string, { passphrase }: BackupConfirmation): Promise<unknown> =>
  sendRequest('POST', `${pathOf(name)}/verify`, passphrase === '' ? {} : { passphrase }, { deadlineMs: WORK_DEADLINE_MS })
export const restoreBackup = (name: string, confirmed: BackupConfirmation): Promise<unknown> =>
  sendRequest('POST', `${pathOf(name)}/restore`, filled(confirmed), { deadlineMs: WORK_DEADLINE_MS })

/**
 * Downloads the backup file `name` in the browser. The admin's password is sent to the hub, which returns a short-lived token for the URL
 * of the file. Rejects with RequestFailed for a wrong password.
 */
export async function downloadBackup(name: string, confirmed: BackupConfirmation): Promise<void> {
  const token = textOf(recordOf(await sendRequest('POST', `${pathOf(name)}/download`, filled(confirmed)))['token']) ?? ''
  location.assign(`${basePath}/api/backups/${encodeURIComponent(name)}?token=${encodeURIComponent(token)}`)
}
