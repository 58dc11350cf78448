import type { Identity } from '@vedette/protocol/wire/envelope'
import { present } from '@vedette/protocol/wire/present'
import type { AgentConfig } from './config/config.ts'
import { confine } from './config/confinement.ts'
import { createLoop } from './runtime/deadline.ts'
import { findDataFolder } from './link/data-folder.ts'
import { HEALTH_FOLDER, startHealth } from './link/health-file.ts'
import { createHubProofs } from './link/hub-proofs.ts'
import { HOST_KEY_FILE } from './link/identity-files.ts'
import { readFingerprint } from './link/identity.ts'
import { dialDelayMs } from './link/reconnect.ts'
import { createSshLink, type SshLink } from './link/ssh-link.ts'
import { createWebSocketLink, type WebSocketLink } from './link/websocket-link.ts'
import { logTo, type Log } from './runtime/log.ts'
import { becomeOwnUser } from './config/own-user.ts'
import type { Runtime, SshServerEvent } from './runtime/runtime.ts'
import { createSources } from './link/sources.ts'
import { listenText } from './text/listen-address.ts'
import { ed25519Bytes } from './text/public-keys.ts'

/**
 * Time limit in ms, 500, for closing the WebSocket to the hub when the agent stops. Then the process exits, even without the hub's close
 * frame.
 */
const FAREWELL_MS = 500
/**
 * Code, 1001 ("going away"), of the WebSocket close frame that a hub sends to the agent when the hub stops (RFC 6455, 7.4.1). The agent
 * chooses its reconnection delay by it.
 */
const GOING_AWAY = 1001

export type RunningAgent = { readonly stop: () => void }

/**
 * Starts the agent, which serves hubs over SSH, WebSocket or both, as configured, until a signal ends it. Returns an object whose `stop`
 * ends it too. A fatal problem is logged and ends the process with status 1.
 */
export function startAgent(runtime: Runtime, config: AgentConfig): RunningAgent {
  const log = logTo(runtime, config.logLevel)
  const data = findDataFolder(runtime, config.dataFolder)
  if (!data.ok) {
    log.error(data.problem)
    runtime.exit(1)
    return { stop: () => undefined }
  }
  for (const remark of config.remarks) log.warn(remark)
  if (data.path === undefined) log.warn('No data folder can be written: fingerprint and SSH host key change with every start')

  // First, while still root: only root may read some of the machine's ids, from which a first fingerprint is made. Other threads must not
  // have started.
  const fingerprint = readFingerprint(runtime, config.collect.roots, data.path)
  const writable = writableFolders(config, data.path)
  becomeOwnUser(runtime, log, { user: config.runAs, engine: config.collect.engine, writable, dataFolder: data.path })
  const confinement = confine(runtime, config.collect, writable)
  log.debug('Confined', {
    by: confinement.holds.join(', '),
    without: confinement.lacks.map(({ what, why }) => `${what}: ${why}`).join(', '),
  })

  const loop = createLoop(runtime)
  const hubKeys = config.keys.map(ed25519Bytes).filter((key) => key !== undefined)
  const proofs = createHubProofs(runtime, log, data.path, hubKeys)
  const now = (): number => runtime.clock().monotonicMs
  let stopping = false
  let sshUsedAtMs: number | undefined
  let lastAttemptAtMs: number | undefined
  let lostAtMs: number | undefined
  let isHubStopping = false
  let failures = 0
  const hubs = config.webSocket.mode === 'dial' ? config.webSocket.hubs : []
  /**
   * Counter that selects the hub of the next connection attempt: hub number `hubTurn` modulo the number of hubs. It starts at a random
   * byte, so that agents spread over several hubs.
   */
  let hubTurn = runtime.bytes.random(1)[0] ?? 0

  const ssh: SshLink | undefined =
    config.ssh.mode === 'off'
      ? undefined
      : createSshLink(
          { runtime, loop, log, sources: () => sources },
          {
            address: config.ssh.address,
            hubKeys: config.keys,
            hostKeyPath: data.path === undefined ? undefined : `${data.path}/${HOST_KEY_FILE}`,
            onUsed: () => {
              sshUsedAtMs = now()
            },
            onState: (event) => tellSshState(runtime, log, config, event),
          },
        )

  const dialAgain = (ended: 'failed' | 'lost'): void => {
    const endedAtMs = now()
    const dice = (runtime.bytes.random(1)[0] ?? 0) / 0xff
    const hub = hubs[hubTurn++ % hubs.length]
    const dial = (): void => {
      // A hub may have connected over SSH in the meantime; then the attempt is delayed further.
      const delayMs = dialDelayMs(
        { lastAttemptAtMs, ended, endedAtMs, lostAtMs, isHubStopping, failures, hubs: hubs.length, sshUsedAtMs, dice },
        now(),
      )
      if (stopping || webSocket === undefined || hub === undefined) return
      if (delayMs > 0) loop.after(delayMs, dial)
      else {
        lastAttemptAtMs = now()
        webSocket.dial(hub)
      }
    }
    dial()
  }

  const webSocket: WebSocketLink | undefined =
    config.webSocket.mode === 'off'
      ? undefined
      : createWebSocketLink(
          { runtime, loop, log, sources: () => sources },
          {
            token: config.webSocket.token,
            hubKeys,
            proofs,
            identity: (full) => identity(full),
            onTrusted: () => {
              sshUsedAtMs = undefined
              failures = 0
              ssh?.close()
            },
            onEnded: (wasTrusted, end) => {
              if (stopping) return runtime.exit(0)
              ssh?.listen()
              isHubStopping = wasTrusted && end.kind === 'closed' && end.code === GOING_AWAY
              if (wasTrusted) lostAtMs = now()
              else failures++
              // With several hubs: when the last one of a round has failed.
              const isRoundOver = failures % hubs.length === 0
              if (config.exitOnNameError && isRoundOver && end.kind === 'failed' && end.nameNotFound === true) return runtime.exit(1)
              dialAgain(wasTrusted ? 'lost' : 'failed')
            },
          },
        )

  // Started first, so that the host connects or listens while the rest is set up. Its events arrive only after this function.
  if (webSocket === undefined) ssh?.listen()
  else dialAgain('failed')
  const identity = identityOf(runtime, config, fingerprint)
  const sources = { ...createSources({ runtime, loop, log }, config.collect, confinement), forgetProof: proofs.clear }
  const health = startHealth(runtime, loop, data.path)

  const stop = (): void => {
    if (stopping) return runtime.exit(1)
    stopping = true
    health.stop()
    ssh?.close()
    const closing = webSocket?.close() ?? false
    loop.after(closing ? FAREWELL_MS : 0, () => runtime.exit(0))
  }
  loop.subscribe({
    onSignalReceived: (name) => {
      log.info('Stopping', { signal: name })
      stop()
    },
  })
  runtime.onSignal(['SIGINT', 'SIGTERM'])
  void sources.sampler.seed()
  return { stop }
}

function writableFolders({ ssh }: AgentConfig, dataFolder: string | undefined): readonly string[] {
  const socket = ssh.mode === 'listen' && ssh.address.kind === 'unix' ? ssh.address.path : undefined
  const socketFolder = socket?.includes('/') === true ? socket.slice(0, socket.lastIndexOf('/') + 1) : socket && '.'
  return [HEALTH_FOLDER, dataFolder, socketFolder].filter((folder) => folder !== undefined)
}

function identityOf(runtime: Runtime, config: AgentConfig, fingerprint: string): (full: boolean) => Identity {
  return (full) => {
    if (!full) return { fingerprint }
    const { ssh } = config
    return present<Identity>({
      fingerprint,
      hostname: runtime.readText(`${config.collect.roots.proc}/sys/kernel/hostname`)?.trim(),
      port: ssh.mode === 'off' ? undefined : ssh.address.kind === 'unix' ? ssh.address.path : String(ssh.address.port),
      systemName: config.systemName,
    })
  }
}

/**
 * Returns the address on which the agent's SSH server listens as text for the log, such as `127.0.0.1:45876`. `port` is the real one,
 * because the configured port may be 0 (any). Empty when SSH is disabled.
 */
function listeningText({ ssh }: AgentConfig, port: number | undefined): string {
  if (ssh.mode === 'off') return ''
  return listenText(ssh.address.kind === 'unix' || port === undefined ? ssh.address : { ...ssh.address, port })
}

function tellSshState(runtime: Runtime, log: Log, config: AgentConfig, event: Exclude<SshServerEvent, { readonly kind: 'refused' }>): void {
  if (event.kind === 'listening') {
    log.change('ssh server', 'info', 'Waiting for the hub over SSH', { address: listeningText(config, event.port) })
    return
  }
  if (config.webSocket.mode === 'off') {
    log.error(event.reason)
    runtime.exit(1)
    return
  }
  log.change('ssh server', 'warn', 'Continuing without SSH', { reason: event.reason })
}
