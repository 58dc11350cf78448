import { openAccounts } from '../accounts/accounts.ts'
import { signInAttempts } from '../accounts/attempts.ts'
import { serveProviderSignIn } from '../accounts/routes/providers.ts'
import { serveIncidents } from '../alerts/incidents/incident-topic.ts'
import { startNotifier } from '../alerts/notifications/notifier.ts'
import { hubPushKey } from '../delivery/channels/vapid.ts'
import { serveLive } from '../fleet/live.ts'
import { serveHistoryTail } from '../history/read/live-tail.ts'
import { serveLogTail } from '../operations/logs/log-tail.ts'
import { accessOf } from '../records/engine/access.ts'
import { hasNewerHub } from '../platform/db/newer-hubs.ts'
import { startRealtime, type Realtime } from '../records/realtime/realtime.ts'
import { serveStoring } from '../samples/sample-pipeline.ts'
import { serveDelay } from './hubs/relay-events.ts'
import { streamsOfHubs } from './hubs/streams-of-hubs.ts'
import type { OpenParts, Stores } from './open-stores.ts'
import type { Monitoring } from './start-monitoring.ts'

/**
 * Starts the services for users and resolves to them: event streams, accounts and sessions, notifications. It also registers the custom
 * realtime topics, which belong to no collection, such as one-second samples.
 */
export async function startPeople({ config, stack }: Pick<OpenParts, 'config' | 'stack'>, stores: Stores, { agents, samples }: Monitoring) {
  const { engine, bus, cluster, clock, counts, secrets, logBook, logOf } = stores
  const { appUrl, internalDestinations } = config
  const access = accessOf(engine)
  const realtime = startStreams(stores, stack)
  stack.defer(serveLive({ realtime, access, clock, log: logOf('fleet'), fetch: agents.fetchLive }))
  serveProviderSignIn(realtime)
  stack.defer(serveStoring(realtime, samples.storing))
  stack.defer(serveLogTail(realtime, logBook))
  if (cluster?.messages !== undefined) stack.defer(serveDelay(realtime, cluster.messages))
  stack.defer(serveHistoryTail({ realtime, access, bus }))
  stack.defer(serveIncidents({ realtime, engine, bus, log: logOf('alerts') }))
  const attempts = signInAttempts(counts)
  const accounts = stack.adopt(
    await openAccounts({
      engine,
      bus,
      counts,
      attempts,
      appUrl,
      overrides: config.signIn,
      createUsers: config.createUsers,
      log: logOf('accounts'),
    }),
    ({ close }) => close(),
  )
  accounts.sessions.onEnd(realtime.endSessions)
  const webPushKey = hubPushKey(secrets)
  const { settings } = accounts
  stack.adopt(
    await startNotifier({
      engine,
      settings,
      bus,
      webPushKey,
      appUrl,
      internalDestinations,
      hasNewerHub: cluster?.messages === undefined ? undefined : () => hasNewerHub(engine.database),
      log: logOf('notifications'),
    }),
    ({ close }) => close(),
  )
  return {
    access,
    realtime,
    attempts,
    requests: signInAttempts(counts, 'email'),
    linkUses: signInAttempts(counts, 'link'),
    accounts,
    webPushKey,
  }
}

/**
 * Starts the event streams of this hub and returns the realtime service. If there are several hubs, requests for a stream of another hub
 * are passed on to that hub.
 */
function startStreams({ engine, bus, cluster, logOf }: Stores, stack: AsyncDisposableStack): Realtime {
  const { messages, membership } = cluster ?? {}
  const hub = messages && membership?.id
  const own = stack.adopt(startRealtime(engine, bus, logOf('realtime'), { hub }), ({ close }) => close())
  if (messages === undefined || membership === undefined || hub === undefined) return own
  const { realtime, stop } = streamsOfHubs({ realtime: own, hub, living: membership.living, messages, engine, bus, log: logOf('hubs') })
  stack.defer(stop)
  return realtime
}

export type People = Awaited<ReturnType<typeof startPeople>>
