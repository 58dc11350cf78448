import { usedMark } from '../../../fleet/enrolment/enroll.ts'
import { findHubKey, parseHubKey, replaceHubKey, type HubKey } from '../../../fleet/ssh/hub-key.ts'
import { loadState } from '../../../platform/db/hub-state.ts'
import { textOf } from '../../../records/model/stored-record.ts'
import type { ForeignHub, Remark, TransferLine, TransferPlan, TransferTarget } from '../foreign-hub.ts'
import { TransferRefusedError } from './transfer-refused-error.ts'

/**
 * Name of the SSH key that this hub has after an import. `theirs` is that of the imported hub, which its agents know; `ours` is this hub's
 * own.
 */
export type KeyChoice = 'theirs' | 'ours'

/** Error when the operator must choose which of the two hubs' SSH keys this hub has after an import. */
export class KeyChoiceNeededError extends TransferRefusedError {}

type KeyPlanParts = {
  readonly foreign: Pick<ForeignHub, 'database' | 'privateKey'>
  readonly target: TransferTarget
  /** Path of the data directory of this hub, in which the import may replace the SSH key. */
  readonly directory: string
  /**
   * Choice of the operator which SSH key this hub has after the import: `theirs`, that of the imported hub, or `ours`, its own. `undefined`
   * if the operator chose none.
   */
  readonly choice: KeyChoice | undefined
}

/**
 * Resolves to the part of an import plan that decides which SSH key this hub has afterwards. This hub's key stays if the imported hub has
 * none or by choice. Otherwise the imported one is used, without a choice only if no agent knows this hub's key. Rejects with a
 * `TransferRefusedError` if the operator must choose, or if the imported key is unusable.
 */
export async function planKey({ foreign, target, directory, choice }: KeyPlanParts): Promise<TransferPlan> {
  const { database, secrets } = target
  const ours = await findHubKey({ directory, database, secrets })
  if (foreign.privateKey === undefined) return leaving('the other hub has no file id_ed25519: its agents need the key of this hub', 0)
  const privateKey = foreign.privateKey
  if (choice === 'ours') return leaving('this hub keeps its own key: the agents of the other hub need it', 1)
  const theirs = usableKey(privateKey)
  if (theirs.publicLine === ours?.publicLine) return planOf({ found: 1, present: 1 })
  const knowing = ours === undefined ? 0 : await countOwnSystems(foreign, target)
  if (knowing > 0 && choice === undefined)
    throw new KeyChoiceNeededError(
      `Cannot import the SSH key: this hub has another one, and ${knowing} systems of its own that may know it; choose with --key theirs or --key ours, and give the other agents the new key`,
    )
  const replaced = { reason: 'replaces the key of this hub, which stays as id_ed25519.replaced', count: 1, examples: [] }
  return planOf({ found: 1, taken: 1, changed: ours === undefined ? [] : [replaced] }, () =>
    replaceHubKey({ directory, database, secrets }, privateKey),
  )
}

const leaving = (reason: string, found: number): TransferPlan => planOf({ found, leftOut: [{ reason, count: 1, examples: [] }] })

function planOf(line: Partial<TransferLine>, write: () => Promise<void> = async () => {}): TransferPlan {
  const none: readonly Remark[] = []
  return {
    lines: [{ what: 'SSH key', found: 0, taken: 0, present: 0, changed: none, leftOut: none, ...line }],
    rows: 1,
    bytes: 0,
    async write(progress, signal) {
      signal.throwIfAborted()
      await write()
      progress(1)
    },
  }
}

function usableKey(privateKey: string): HubKey {
  try {
    return parseHubKey(privateKey, 'id_ed25519')
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new TransferRefusedError(
      `Cannot import the SSH key of the other hub (${problem}); put its file id_ed25519 back, or keep the key of this hub with --key ours`,
      { cause },
    )
  }
}

/**
 * Resolves to the number of systems of this hub whose agents may know its SSH key. Systems imported from the same hub, and the hub's own
 * machine, do not count.
 */
async function countOwnSystems({ database }: Pick<ForeignHub, 'database'>, { records, database: own }: TransferTarget): Promise<number> {
  const isTheirs = database.prepare('select 1 from systems where id = ?')
  let count = 0
  for (const { id } of await records.loadWhere('systems', {})) {
    if (isTheirs.get(id) !== undefined) continue
    const tokens = await records.loadWhere('fingerprints', { system: id })
    const marks = await Promise.all(tokens.map((one) => loadState(own.kysely, usedMark(textOf(one, 'token')))))
    if (marks.every((mark) => mark === undefined)) count += 1
  }
  return count
}
