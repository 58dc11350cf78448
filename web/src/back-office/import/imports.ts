import { queryOptions } from '@tanstack/react-query'
import { getJson, sendRequest } from '../../api/client.ts'
import { sendForm } from '../../api/send-form.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

/**
 * Remark of the hub about an import of another hub's data. It has a sentence that says why rows were changed or left out, the number of
 * these rows, and examples of them, such as names.
 */
export type ImportRemark = { readonly reason: string; readonly count: number; readonly examples: readonly string[] }

/**
 * Counts of one kind of data, such as `users`, in an import from another hub: rows `found` there, `taken` over, and `present` here already.
 * `remarks` say why rows were changed or left out.
 */
export type ImportLine = {
  readonly what: string
  readonly found: number
  readonly taken: number
  readonly present: number
  readonly remarks: readonly ImportRemark[]
}

/** Result of the dry run of an import of another hub's data, which the admin reads before confirming the import. */
export type Rehearsal = {
  readonly lines: readonly ImportLine[]
  /** Disk space in bytes that the data of an import from another hub will take, as the dry run estimates it. */
  readonly bytes: number
  /** Duration in seconds that an import of another hub's data will take, as the dry run estimates it. */
  readonly seconds: number
  /** List of the email addresses of the other hub's superusers; the admin chooses which of them become admins here. */
  readonly superusers: readonly string[]
  /** True when the admin must choose, for the import of another hub's data, which SSH key this hub keeps: the other hub's or its own. */
  readonly asksKey: boolean
  /**
   * Minutes from the newest sample in the uploaded backup to the file's last change. Set only when that is suspiciously long, so that the
   * backup may be outdated; otherwise `undefined`.
   */
  readonly lateMinutes: number | undefined
}

/**
 * State of the import of another hub's data: none, being read, dry run `ready`, importing (`share` is the progress from 0 to 1), done, or
 * failed with a reason.
 */
export type ImportState =
  | { readonly kind: 'none' | 'reading' | 'done' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'ready'; readonly rehearsal: Rehearsal }
  | { readonly kind: 'importing'; readonly share: number | undefined }

/**
 * Form values with which an admin confirms an import: the admin's own password, and email addresses of the other hub's superusers to make
 * admins. `key` says which hub's SSH key to keep; `undefined` when there is no choice.
 */
export type ImportChoices = {
  readonly password: string
  readonly admins: readonly string[]
  readonly key: 'theirs' | 'ours' | undefined
}

const PATH = '/api/vedette/import'
const BUSY_MS = 1000
const RESTING_MS = 30_000

export const importQuery = queryOptions({
  queryKey: officeKeys.imports,
  queryFn: async ({ signal }): Promise<ImportState> => importStateOf(await getJson(PATH, signal)),
  refetchInterval: ({ state }) => (['reading', 'importing'].includes(state.data?.kind ?? '') ? BUSY_MS : RESTING_MS),
})

/**
 * Parses the hub's response about the import of another hub's data and returns its state. A state that this page does not know becomes
 * `none`.
 */
export function importStateOf(response: unknown): ImportState {
  const { state, reason, done, total, ...rehearsal } = recordOf(response)
  switch (state) {
    case 'reading':
    case 'done':
      return { kind: state }
    case 'failed':
      return { kind: 'failed', reason: textOf(reason) ?? '' }
    case 'ready':
      return { kind: 'ready', rehearsal: rehearsalOf(rehearsal) }
    case 'importing':
      return { kind: 'importing', share: shareOf(numberOf(done), numberOf(total)) }
    default:
      return { kind: 'none' }
  }
}

const shareOf = (done: number | undefined, total: number | undefined): number | undefined =>
  done === undefined || total === undefined || total === 0 ? undefined : Math.min(done / total, 1)

function rehearsalOf({ lines, bytes, seconds, superusers, asksKey, lateMinutes }: JsonRecord): Rehearsal {
  return {
    lines: listOf(lines).map(lineOf),
    bytes: numberOf(bytes) ?? 0,
    seconds: numberOf(seconds) ?? 0,
    superusers: listOf(superusers).flatMap((one) => textOf(one) ?? []),
    asksKey: asksKey === true,
    lateMinutes: numberOf(lateMinutes),
  }
}

function lineOf(line: unknown): ImportLine {
  const { what, found, taken, present, changed, leftOut } = recordOf(line)
  return {
    what: textOf(what) ?? '',
    found: numberOf(found) ?? 0,
    taken: numberOf(taken) ?? 0,
    present: numberOf(present) ?? 0,
    remarks: [...listOf(changed), ...listOf(leftOut)].map((one) => {
      const { reason, count, examples } = recordOf(one)
      return { reason: textOf(reason) ?? '', count: numberOf(count) ?? 0, examples: listOf(examples).flatMap((text) => textOf(text) ?? []) }
    }),
  }
}

/**
 * Uploads a backup (`.zip`) of another hub to this hub, which then reads it and makes a dry run of the import. Resolves with the hub's
 * response.
 */
export function uploadForeignBackup(file: File): Promise<unknown> {
  const form = new FormData()
  form.set('file', file)
  return sendForm(`${PATH}/upload`, form)
}

export const runImport = (choices: ImportChoices): Promise<unknown> => sendRequest('POST', PATH, { ...choices })
export const discardImport = (): Promise<unknown> => sendRequest('DELETE', PATH)
