import type { Msg, NatsConnection, Status, Subscription } from '@nats-io/transport-node'
import type { Clock } from '../clock.ts'
import { atMost } from '../deadline.ts'
import { onceAMinute } from '../limits/once-a-minute.ts'
import type { Log } from '../log.ts'
import type { NatsAddress } from './nats-address.ts'
import { checkNats, natsOptions } from './nats-options.ts'

export type LinkMessage = Pick<Msg, 'subject' | 'reply' | 'data' | 'headers'>

/**
 * Connection to a NATS cluster (message broker) that reconnects by itself: `send` and `listen` by subject, and callbacks for changes of the
 * connection.
 */
export type NatsLink = {
  /**
   * Sends a message to a NATS subject; a response is expected on the subject `reply`, if given. Returns false when the message is lost,
   * because there is no connection or the connection's send buffer is full.
   */
  readonly send: (subject: string, data: Uint8Array, reply?: string) => boolean
  /**
   * Subscribes to a NATS subject. The listener gets messages that other connections sent, not this one. Returns the function that
   * unsubscribes.
   */
  readonly listen: (subject: string, listener: (message: LinkMessage) => void) => () => void
  /** Returns the maximum size of one message to NATS, in bytes: 1 MiB, or less if the connected server allows less. */
  readonly mostBytes: () => number
  readonly isConnected: () => boolean
  readonly onConnection: (listener: (isConnected: boolean) => void) => () => void
  /**
   * Sets the only listener, which is called when NATS accepts messages again after some of this hub's messages were lost. The listener
   * should inform other hubs of the loss.
   */
  readonly onSendable: (listener: () => void) => void
  readonly close: () => Promise<void>
}

export type LinkParts = {
  readonly address: NatsAddress
  /** Text with which every NATS subject of this hub begins, such as `vedette.DATABASE`, where DATABASE is the id of the database. */
  readonly prefix: string
  /** Name of this hub's connection, which the monitoring of the NATS server shows. */
  readonly name: string
  readonly log: Log
  readonly clock: Clock
  readonly mostPendingBytes?: number
  /**
   * Time in ms without a response to a ping, after which this hub opens a new NATS connection in place of the current one. Default: 10,000.
   */
  readonly silentMs?: number
}

/** Maximum size of a message to other hubs over NATS, in bytes: 1 MiB, the default of NATS. A server may allow less. */
const MOST_BYTES = 1024 * 1024
/**
 * Maximum number of bytes sent to NATS that it has not confirmed yet: 16 MiB. Beyond it, further messages are dropped and count as lost,
 * because the bytes take memory.
 */
const MOST_PENDING_BYTES = 16 * 1024 * 1024
const LONGEST_DELAY_MS = 2000
const OPEN_MS = 2000
const CLOSE_MS = 1000
const SILENT_MS = 10_000

type Listening = { readonly subject: string; readonly listener: (message: LinkMessage) => void; subscription?: Subscription }

/**
 * Opens a connection to NATS. While NATS is unreachable, it resolves all the same and retries forever. Rejects with
 * `HubMessagesUnusableError` when the first try shows wrong login, certificate, files or permissions.
 */
export async function openNatsLink({
  address,
  prefix,
  name,
  log,
  clock,
  mostPendingBytes = MOST_PENDING_BYTES,
  silentMs = SILENT_MS,
}: LinkParts): Promise<NatsLink> {
  // Only hubs with --nats load the client.
  const nats = await import('@nats-io/transport-node')
  const options = natsOptions(nats, address, name)
  const away = await checkNats(nats, options, prefix)
  if (away !== undefined) log.warn('NATS not reachable, retrying', { servers: address.servers, error: away })

  const isFirst = onceAMinute(clock)
  const listeners = new Set<(isConnected: boolean) => void>()
  const listening = new Set<Listening>()
  let onSendable = (): void => {}
  let connection: NatsConnection | undefined
  let isConnected = false
  let isClosed = false
  let attempts = 0
  let pendingBytes = 0
  let isConfirming = false
  /**
   * True while messages of this hub were lost of which the other hubs do not know yet. Once NATS accepts messages again, the listener of
   * `onSendable` is called, which informs them.
   */
  let isAnyLost = false

  const connect = (): Promise<NatsConnection> =>
    nats.connect({
      ...options,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectDelayHandler: () => Math.min(LONGEST_DELAY_MS, 50 * 2 ** Math.min(attempts, 8)) * (0.5 + Math.random() / 2),
      reconnectToServer() {
        // The client has no other way to give up its first connection.
        if (isClosed) throw new Error('The link to NATS is closed')
        attempts++
        return null
      },
    })

  function become(next: boolean): void {
    if (isConnected === next) return
    isConnected = next
    isAnyLost ||= pendingBytes > 0
    pendingBytes = 0
    if (next) attempts = 0
    if (!isClosed) log[next ? 'info' : 'warn'](next ? 'NATS is connected' : 'the connection to NATS is lost, the hub tries again')
    for (const listener of listeners) listener(next)
    if (next) reportLost()
  }

  function reportLost(): void {
    if (!isAnyLost || !isConnected || pendingBytes > mostPendingBytes / 2) return
    isAnyLost = false
    onSendable()
  }

  function onStatus(status: Status): void {
    if (status.type === 'disconnect' || status.type === 'close') become(false)
    if (status.type === 'reconnect') become(true)
    if (status.type === 'error' && isFirst(status.error.message)) log.error('NATS refused an operation', { error: status.error })
  }

  function subscribe(one: Listening, to: NatsConnection): void {
    one.subscription = to.subscribe(one.subject, {
      callback(error, message) {
        if (error !== null) return
        try {
          one.listener(message)
        } catch (failure) {
          log.error('message from another hub not processed', { subject: message.subject, error: failure })
        }
      },
    })
  }

  /**
   * Pings NATS and awaits the response, which confirms all bytes sent before the ping. Repeats that while bytes are unconfirmed. Without a
   * response within `silentMs`, replaces the connection. Only one call may run at a time.
   */
  async function confirm(to: NatsConnection): Promise<void> {
    const sent = pendingBytes
    const timer = setTimeout(() => giveUp(to), silentMs).unref()
    // A failed flush means that the connection is lost, with all unconfirmed messages.
    const isTaken = await to.flush().then(
      () => true,
      () => false,
    )
    clearTimeout(timer)
    if (connection !== to) return
    if (isTaken) pendingBytes = Math.max(0, pendingBytes - sent)
    reportLost()
    if (pendingBytes > 0 && isConnected) void confirm(to)
    else isConfirming = false
  }

  /**
   * Abandons a connection that did not answer a ping in time, and opens a new one. Its unconfirmed messages count as lost. The NATS client
   * cannot close a connection whose socket is full.
   */
  function giveUp(silent: NatsConnection): void {
    if (connection !== silent || isClosed) return
    connection = undefined
    isConfirming = false
    become(false)
    void silent.close().catch(() => {})
    open(connect())
  }

  function open(connecting: Promise<NatsConnection>): void {
    connecting.then(
      (opening) => {
        connection = opening
        for (const one of listening) subscribe(one, opening)
        become(true)
        return follow(opening)
      },
      (error: unknown) => {
        if (!isClosed) log.error('NATS cannot be used', { error })
      },
    )
  }

  async function follow(opening: NatsConnection): Promise<void> {
    for await (const status of opening.status()) if (connection === opening) onStatus(status)
  }

  const first = connect()
  open(first)
  if (away === undefined) await atMost(OPEN_MS, first)
  return {
    send(subject, data, reply) {
      if (connection === undefined || !isConnected) return false
      if (pendingBytes + data.length > mostPendingBytes) {
        isAnyLost = true
        if (isFirst('full')) log.error('NATS is too slow, messages to other hubs are lost', { pendingBytes })
        return false
      }
      pendingBytes += data.length + subject.length
      connection.publish(subject, data, reply === undefined ? {} : { reply })
      if (!isConfirming) {
        isConfirming = true
        const to = connection
        // After this turn of the event loop, so that its messages leave together.
        setImmediate(() => void confirm(to))
      }
      return true
    },
    listen(subject, listener) {
      const one: Listening = { subject, listener }
      listening.add(one)
      if (connection !== undefined) subscribe(one, connection)
      return () => {
        listening.delete(one)
        one.subscription?.unsubscribe()
      }
    },
    mostBytes: () => Math.min(MOST_BYTES, connection?.info?.max_payload ?? MOST_BYTES),
    isConnected: () => isConnected,
    onConnection(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onSendable(listener) {
      onSendable = listener
    },
    async close() {
      isClosed = true
      if (connection === undefined) return
      const closing = connection
      const flushed = isConnected ? closing.flush().catch(() => {}) : Promise.resolve()
      await atMost(
        CLOSE_MS,
        flushed.then(() => closing.close()),
      )
    },
  }
}
