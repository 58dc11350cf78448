import { universalTokensOf } from '../accounts/universal-token.ts'
import { watchAlerts } from '../alerts/rules/alert-watch.ts'
import { decideDueAlerts } from '../alerts/rules/due-alerts.ts'
import { watchTrends } from '../alerts/trends/trend-watch.ts'
import { agentsOfHubs } from '../fleet/agents-of-hubs.ts'
import { startFleet } from '../fleet/fleet.ts'
import { leasedOwnership, type LeasedOwnership } from '../fleet/ownership/leased-ownership.ts'
import { takeoverRequests } from '../fleet/ownership/takeover-requests.ts'
import { startTagRules } from '../fleet/tags/tag-rules.ts'
import { sharedDeadlines } from '../fleet/session/deadlines.ts'
import { samplePipeline } from '../samples/sample-pipeline.ts'
import { watchedAnywhere } from '../platform/cluster/event-relay.ts'
import { relayToHubs } from './hubs/relay-events.ts'
import { readLocalToken, writeEnrollFolder } from './local-token.ts'
import type { OpenParts, Stores } from './open-stores.ts'

/** Starts monitoring and resolves to its services: polling of agents, storing of samples, evaluation of alert rules. */
export async function startMonitoring({ config, stack }: Pick<OpenParts, 'config' | 'stack'>, stores: Stores) {
  const { database, store, secrets, history, bus, cluster, engine, key, clock, logOf } = stores
  const { messages, membership } = cluster ?? {}
  const relay = messages && membership && stack.use(relayToHubs({ messages, hub: membership.id, bus, engine, log: logOf('hubs') }))
  const watchedBus = relay === undefined ? bus : watchedAnywhere(bus, relay)
  const universalTokens = stack.adopt(await universalTokensOf({ database, records: store, secrets, bus, clock }), ({ close }) => close())
  const ownership = await shareSystems(stores, stack)
  const { fence, decides } = ownership ?? {}
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: logOf('alerts'), decides }), ({ close }) => close())
  const samples = stack.use(
    samplePipeline({ db: database, records: store, history, clock, bus: watchedBus, alerts, log: logOf('samples'), fence }),
  )
  const enrollToken = config.enrollFolder === undefined ? undefined : writeEnrollFolder(config.enrollFolder, key.publicLine)
  const fleet = stack.adopt(
    await startFleet({
      db: database,
      records: store,
      secrets,
      temporaryTokenOwner: universalTokens.temporaryTokenOwner,
      bus: watchedBus,
      samples,
      alerts,
      key,
      clock,
      log: logOf,
      readLocalToken: () => readLocalToken(config.enrollTokenFile ?? enrollToken),
      ...(ownership && messages ? { ownership, takeoverRequests: takeoverRequests(messages, ownership), deadlines: sharedDeadlines } : {}),
    }),
    (one) => one.close(),
  )
  const owns = (system: string): boolean => ownership?.owns(system) ?? true
  stack.use(startTagRules({ engine, bus, log: logOf('fleet'), owns }))
  stack.use(decideDueAlerts({ database, watch: alerts, log: logOf('alerts'), settlingMs: fleet.settlingMs }))
  stack.use(watchTrends({ database, history, clock, watch: alerts, log: logOf('alerts'), owns }))
  const agents =
    messages && ownership
      ? stack.use(agentsOfHubs({ own: fleet, owners: ownership, messages, secrets, deadlines: sharedDeadlines, log: logOf('hubs') }))
      : fleet
  return { universalTokens, samples, fleet, agents, ownership }
}

/**
 * Starts the service by which each system belongs to one of several hubs, its owner, by leases in the database, and resolves to it.
 * Resolves to `undefined` for a single hub, which monitors all systems.
 */
async function shareSystems({ cluster, database, bus, logOf }: Stores, stack: AsyncDisposableStack): Promise<LeasedOwnership | undefined> {
  if (cluster?.messages === undefined) return undefined
  const { membership, messages } = cluster
  return stack.use(await leasedOwnership({ database, membership, messages, bus, log: logOf('ownership') }))
}

export type Monitoring = Awaited<ReturnType<typeof startMonitoring>>
