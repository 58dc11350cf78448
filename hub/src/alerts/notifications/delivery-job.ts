import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** Destination of a message: a channel address or an email address. */
export type Target = { readonly way: 'address'; readonly address: string } | { readonly way: 'mail'; readonly to: string }

/** Data that sending needs. It is stored encrypted, because addresses contain secrets. */
export type DeliveryJob = {
  readonly target: Target
  /** Destinations that an earlier attempt reached. */
  readonly reached: readonly string[]
  /** Text of a message that belongs to no alert. */
  readonly own?: { readonly title: string; readonly body: string }
}

const PLACE = 'deliveries.job'

export const sealJob = (secrets: SecretBox, job: DeliveryJob): string => secrets.seal(PLACE, JSON.stringify(job))

/** Decrypts a job; undefined if it is damaged. */
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

/** Stable key of a channel: a digest that reveals nothing of its address. */
export const channelOf = (secrets: SecretBox, owner: string, target: Target): string =>
  secrets.digest('deliveries.channel', JSON.stringify([owner, target.way, target.way === 'mail' ? target.to : target.address]))
