import { join } from 'node:path'
import { signInHeader } from './accounts/sign-in-header.ts'
import { agentFilesIn } from './fleet/enrolment/agent-files.ts'
import { AGENT_CONNECT_PATH } from './fleet/fleet.ts'
import { httpApp, type AppParts } from './http/app.ts'
import { readDashboard } from './http/dashboard-files.ts'
import { readDocuments, serveDocuments } from './http/documents.ts'
import { openRequestAdmission } from './http/requests/request-admission.ts'
import { serveDashboard } from './http/static.ts'
import { noteHubLife } from './operations/system-events/system-events.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import { isUnixSocket } from './platform/http/listening/listen-address.ts'
import { probeAddress } from './platform/http/listening/listen.ts'
import { openTlsFiles } from './platform/http/listening/tls-files.ts'
import { serve } from './platform/http/server.ts'
import type { LogOf } from './platform/log.ts'
import { filesIn, programFiles } from './platform/process/program-files.ts'
import type { HubConfig } from './startup/config.ts'
import { prepareFirstStart } from './startup/first-start.ts'
import { replacedIn } from './startup/hubs/cluster.ts'
import { hubRoutes, type HubRouteParts } from './startup/hub-routes.ts'
import { openStores, type OpenParts } from './startup/open-stores.ts'
import { basePathOf, startProved } from './startup/proved-start.ts'
import { startMonitoring } from './startup/start-monitoring.ts'
import { startOperations } from './startup/start-operations.ts'
import { startPeople } from './startup/start-people.ts'

export type Hub = {
  /** URL of the running hub, `http://HOST:PORT` or `https://HOST:PORT`, or `unix:PATH` when it listens on a Unix socket. */
  readonly address: string
  readonly port: number
  /** Setup code that is needed to create the first admin from another machine. `undefined` when there is a user already. */
  readonly setupCode: string | undefined
  /** Promise that resolves when the hub must be closed and started again, for example to restore a backup. */
  readonly restartWanted: Promise<void>
  /**
   * Promise that resolves to one sentence for the operator when another hub has replaced this one among the hubs of the database. The hub
   * must then end.
   */
  readonly replaced: Promise<string>
  readonly close: () => Promise<void>
}

const WEB_ROOT = join(import.meta.dirname, '..', '..', 'web', 'dist')
const DOCUMENTS_ROOT = join(import.meta.dirname, '..', '..', 'docs', 'dist')
const AGENT_ROOT = join(import.meta.dirname, '..', '..', 'agent')

/**
 * Starts a hub in this process and resolves to it when it accepts requests. If it cannot start, everything is closed, and the promise
 * rejects: with `UnusableError` for causes that the operator can mend, else with the error itself.
 */
export const startHub = (config: HubConfig, logOf: LogOf, clock: Clock = systemClock): Promise<Hub> =>
  startProved(config, logOf, (stack) => compose({ config, plainLog: logOf, clock, stack }))

async function compose(parts: OpenParts): Promise<Omit<Hub, 'close'>> {
  const { config, stack } = parts
  await probeAddress(config.listen)
  const tls = config.tls && openTlsFiles(config.tls)
  const stores = await openStores(parts)
  const { database, cluster, clock, engine, history, key, logOf, logQueue, logBook } = stores
  stack.use(await noteHubLife({ database, clock, keptFromMs: (await history.keptFrom())['2h'] }))
  const firstRun = await prepareFirstStart(config, stores)
  const monitoring = await startMonitoring(parts, stores)
  const people = await startPeople(parts, stores, monitoring)
  const operations = await startOperations(parts, stores, { ...monitoring, ...people })

  const { fleet, samples } = monitoring
  const { realtime, accounts } = people
  const basePath = basePathOf(config.appUrl)
  const { promise: restartWanted, resolve: restart } = Promise.withResolvers<void>()
  void stores.missed.then(restart)
  const admission = await openRequestAdmission({
    namedProxies: config.trustedProxies,
    isUnixSocket: isUnixSocket(config.listen),
    settings: accounts.settings,
    clock,
    log: logOf('http'),
  })
  const webFiles = config.webRoot === undefined ? programFiles('web', WEB_ROOT) : filesIn(config.webRoot)
  const dashboard = await readDashboard(webFiles, basePath)
  if (dashboard === undefined) logOf('http').warn('dashboard files not found', { folder: webFiles.place })
  const documents = await readDocuments(programFiles('docs', DOCUMENTS_ROOT))
  const routeParts: HubRouteParts & AppParts = {
    engine,
    history,
    logQueue,
    logBook,
    ...people,
    ...operations,
    universalTokens: monitoring.universalTokens,
    agents: monitoring.agents,
    storing: samples.storing.now,
    firstRun,
    restart,
    agentFiles: agentFilesIn({
      files: config.agentRoot === undefined ? programFiles('agent', AGENT_ROOT) : filesIn(config.agentRoot),
      image: config.agentImage,
      hasUpdateHint: config.agentUpdateHint,
      log: logOf('http'),
    }),
    containerDetails: config.containerDetails,
    internalDestinations: config.internalDestinations,
    publicKey: key.publicLine,
    dashboard: dashboard === undefined ? undefined : serveDashboard(dashboard),
    documents: documents === undefined ? undefined : serveDocuments(documents),
    admission,
    signInHeader: signInHeader({ name: config.authHeader, proxies: admission, config, engine, firstRun, log: logOf('accounts') }),
    log: logOf('http'),
  }
  const app = httpApp(hubRoutes, routeParts)
  const server = stack.adopt(
    await serve(app, config.listen, { basePath, connections: admission.connections, tls: tls?.pair }),
    ({ close }) => close(),
  )
  if (tls !== undefined) stack.use(tls.follow({ replace: server.replaceTls, log: logOf('http') }))

  // The server waits for open streams and agents, so they are closed first.
  stack.defer(() => realtime.close())
  stack.defer(() => fleet.close())

  server.onUpgrade(AGENT_CONNECT_PATH, (request, socket, head) => {
    // A load balancer sends the agent's next connection to another hub.
    if (operations.hubList.isDrained()) return void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
    const remoteAddress = admission.addressOf(request)
    fleet.onUpgrade({ request, socket, head, remoteAddress, slot: admission.connections.onUpgrade(request) })
  })
  return {
    address: server.address,
    port: server.port,
    restartWanted,
    replaced: replacedIn(cluster),
    setupCode: (await firstRun.isOpen()) ? firstRun.setupCode : undefined,
  }
}
