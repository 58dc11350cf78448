import { universalTokensOf } from '../accounts/universal-token.ts'
import { watchAlerts } from '../alerts/rules/alert-watch.ts'
import { decideDueAlerts } from '../alerts/rules/due-alerts.ts'
import { startFleet } from '../fleet/fleet.ts'
import { samplePipeline } from '../samples/sample-pipeline.ts'
import { watchedAnywhere } from '../platform/cluster/event-relay.ts'
import { relayToHubs } from './hubs/relay-events.ts'
import { readLocalToken } from './local-token.ts'
import type { OpenParts, Stores } from './open-stores.ts'

/** Starts the path of a sample: the fleet polls, the pipeline stores, the alert rules evaluate. */
export async function startMonitoring({ config, stack }: Pick<OpenParts, 'config' | 'stack'>, stores: Stores) {
  const { database, duties, store, secrets, history, bus, cluster, engine, key, clock, logOf } = stores
  const { messages, membership } = cluster ?? {}
  const relay = messages && membership && stack.use(relayToHubs({ messages, hub: membership.id, bus, engine, log: logOf('hubs') }))
  const watchedBus = relay === undefined ? bus : watchedAnywhere(bus, relay)
  const universalTokens = stack.adopt(await universalTokensOf({ database, records: store, secrets, bus, clock }), ({ close }) => close())
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: logOf('alerts') }), ({ close }) => close())
  const samples = stack.use(
    samplePipeline({ db: database, records: store, history, clock, bus: watchedBus, alerts, log: logOf('samples') }),
  )
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
      readLocalToken: () => readLocalToken(config.enrollTokenFile),
    }),
    (one) => one.close(),
  )
  stack.use(decideDueAlerts({ database, duties, watch: alerts, log: logOf('alerts'), settlingMs: fleet.settlingMs }))
  return { universalTokens, samples, fleet }
}

export type Monitoring = Awaited<ReturnType<typeof startMonitoring>>
