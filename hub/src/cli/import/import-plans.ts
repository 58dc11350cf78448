import type { ForeignHub, TransferChoices, TransferPlan, TransferTarget } from '../../operations/transfer/foreign-hub.ts'
import { planKey, type KeyChoice } from '../../operations/transfer/source/plan-key.ts'
import { planSessions } from '../../operations/transfer/source/plan-sessions.ts'

type PlanParts = {
  readonly foreign: ForeignHub
  readonly target: TransferTarget
  readonly directory: string
  readonly choices: TransferChoices
  readonly key: KeyChoice | undefined
}

/** Plans all parts of an import, in the order in which they are written. Writes nothing. */
export async function planImport({ foreign, target, directory, key }: PlanParts): Promise<readonly TransferPlan[]> {
  // The key comes first: the systems of an interrupted import must not be polled with another one.
  const keyPlan = await planKey({ foreign, target, directory, choice: key })
  return [keyPlan, planSessions(foreign, target)]
}
