import type { ForeignHub, TransferChoices, TransferPlan, TransferTarget } from './foreign-hub.ts'
import { planHistory } from './history/plan-history.ts'
import { planRecords } from './records/plan-records.ts'
import { planKey, type KeyChoice } from './source/plan-key.ts'
import { planSessions } from './source/plan-sessions.ts'

type PlanParts = {
  readonly foreign: ForeignHub
  readonly target: TransferTarget
  /** Path of the data directory of this hub, in which the import may replace the SSH key. */
  readonly directory: string
  readonly choices: TransferChoices
  readonly key: KeyChoice | undefined
}

/**
 * Plans of all parts of an import, in the order in which they are written. `hasAdmin`: this hub will have a verified admin after the
 * import.
 */
export type ImportPlan = { readonly plans: readonly TransferPlan[]; readonly hasAdmin: boolean }

/** Resolves to the plans of all parts of an import: SSH key, records, history and sessions. Writes nothing. */
export async function planImport({ foreign, target, directory, choices, key }: PlanParts): Promise<ImportPlan> {
  // The key comes first: the systems of an interrupted import must not be polled with another one.
  const keyPlan = await planKey({ foreign, target, directory, choice: key })
  const records = await planRecords(foreign, target, choices)
  const history = await planHistory(foreign, target, records.systems)
  return { plans: [keyPlan, records, history, planSessions(foreign, target)], hasAdmin: records.hasAdmin }
}
