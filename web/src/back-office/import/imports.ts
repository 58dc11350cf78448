import { queryOptions } from '@tanstack/react-query'
import { getJson, sendRequest } from '../../api/client.ts'
import { sendForm } from '../../api/send-form.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'

/** Reason that rows of an import were changed or left out: a sentence, the number of rows, and examples such as names. */
export type ImportRemark = { readonly reason: string; readonly count: number; readonly examples: readonly string[] }

/** Numbers of one kind of data in an import, such as `users`. */
export type ImportLine = {
  readonly what: string
  readonly found: number
  readonly taken: number
  readonly present: number
  readonly remarks: readonly ImportRemark[]
}

/** Result of the rehearsal of an import, which the admin confirms. */
export type Rehearsal = {
  readonly lines: readonly ImportLine[]
  /** Disk space that the import needs, in bytes. */
  readonly bytes: number
  /** Time that the import will take, in seconds. */
  readonly seconds: number
  /** List of the email addresses of the other hub's superusers. */
  readonly superusers: readonly string[]
  /** True when the admin must choose between the SSH keys of the two hubs. */
  readonly asksKey: boolean
  /** Time between the newest sample and the last change of the file, in minutes, when it is suspicious. */
  readonly lateMinutes: number | undefined
}

/** Import as the hub reports it. */
export type ImportState =
  | { readonly kind: 'none' | 'reading' | 'done' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'ready'; readonly rehearsal: Rehearsal }
  | { readonly kind: 'importing'; readonly share: number | undefined }

/** Choices with which an admin confirms an import. */
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

/** Parses the hub's response about the import. An unknown state, such as that of a newer hub, becomes `none`. */
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

/** Uploads a backup of the other hub. The hub then reads it and makes a rehearsal. */
export function uploadForeignBackup(file: File): Promise<unknown> {
  const form = new FormData()
  form.set('file', file)
  return sendForm(`${PATH}/upload`, form)
}

export const runImport = (choices: ImportChoices): Promise<unknown> => sendRequest('POST', PATH, { ...choices })
export const discardImport = (): Promise<unknown> => sendRequest('DELETE', PATH)
