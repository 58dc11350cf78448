import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** Where a message goes: an address for notifications, or one of mail. */
export type Target = { readonly way: 'address'; readonly address: string } | { readonly way: 'mail'; readonly to: string }

/** What is needed to send it: sealed in the database, as addresses hold secrets. */
export type DeliveryJob = {
  readonly target: Target
  /** What an earlier try has reached. */
  readonly reached: readonly string[]
  /** What is told when it is of no alert. */
  readonly own?: { readonly title: string; readonly body: string }
}

const PLACE = 'deliveries.job'

export const sealJob = (secrets: SecretBox, job: DeliveryJob): string => secrets.seal(PLACE, JSON.stringify(job))

/** Undefined for one that is damaged. */
export function openJob(secrets: SecretBox, sealed: string): DeliveryJob | undefined {
  try {
    const job = parseJson(secrets.open(PLACE, sealed))
    if (!isJsonObject(job)) return undefined
    const target = targetOf(job['target'])
    const { reached, own } = job
    if (target === undefined || !Array.isArray(reached)) return undefined
    return { target, reached: reached.filter((one) => typeof one === 'string'), ...ownOf(own) }
  } catch {
    return undefined
  }
}

function targetOf(value: Parameters<typeof isJsonObject>[0]): Target | undefined {
  if (!isJsonObject(value)) return undefined
  const { way, address, to } = value
  if (way === 'address' && typeof address === 'string') return { way, address }
  return way === 'mail' && typeof to === 'string' ? { way, to } : undefined
}

function ownOf(value: Parameters<typeof isJsonObject>[0]): Pick<DeliveryJob, 'own'> {
  if (!isJsonObject(value)) return {}
  const { title, body } = value
  return typeof title === 'string' && typeof body === 'string' ? { own: { title, body } } : {}
}

/** What tells one channel from another, and nothing of its address. */
export const channelOf = (secrets: SecretBox, owner: string, target: Target): string =>
  secrets.digest('deliveries.channel', JSON.stringify([owner, target.way, target.way === 'mail' ? target.to : target.address]))
