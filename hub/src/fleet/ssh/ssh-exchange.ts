import type { Action } from '@vedette/protocol/wire/request'
import type { Client, ClientChannel } from 'ssh2'
import type { Deadlines } from '../session/deadlines.ts'
import { isCompleteReply, MAX_REPLY_BYTES } from '../session/exchange.ts'
import { AgentUnavailable, answerWithin } from '../session/fleet-errors.ts'

/**
 * One request to an agent over an SSH channel: its action, the encoded bytes `request`, and the timeouts. `request` is `undefined` for
 * agents before 0.13, which send a sample without reading a request.
 */
export type SshExchange = {
  readonly request: Uint8Array | undefined
  readonly action: Action
  readonly deadlines: Deadlines
}

/**
 * Opens an SSH channel, sends the request and EOF, and resolves to the bytes of the agent's reply. The reply ends at an exit status, a
 * close of the channel, or silence after complete data.
 */
export async function exchange(client: Client, { request, action, deadlines }: SshExchange): Promise<Uint8Array> {
  const opened = openChannel(client)
  const channel = await answerWithin(deadlines.channelMs, 'open a channel', opened).catch((error: unknown) => {
    opened.then((late) => late.close()).catch(() => {})
    throw error
  })
  try {
    return await answerWithin(deadlines.repliesMs[action], 'answer', answerOf(channel, request, deadlines.quietMs))
  } finally {
    channel.close()
  }
}

function openChannel(client: Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown): void => reject(new AgentUnavailable('closed', 'The agent opened no channel', { cause }))
    const onClose = (): void => fail()
    client.once('close', onClose)
    try {
      client.shell(false, (error, channel) => {
        client.off('close', onClose)
        if (error) fail(error)
        else resolve(channel)
      })
    } catch (error) {
      // ssh2 throws here when its connection has just ended.
      fail(error)
    }
  })
}

function answerOf(channel: ClientChannel, request: Uint8Array | undefined, quietMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let quiet: NodeJS.Timeout | undefined
    const takeWhole = (): void => {
      const bytes = Buffer.concat(chunks)
      if (isCompleteReply(bytes)) resolve(bytes)
    }
    channel.on('data', (chunk: Buffer) => {
      size += chunk.length
      clearTimeout(quiet)
      if (size > MAX_REPLY_BYTES) {
        chunks.length = 0
        reject(new AgentUnavailable('unreadable', `The reply is larger than ${MAX_REPLY_BYTES} bytes`))
        channel.destroy()
        return
      }
      chunks.push(chunk)
      quiet = setTimeout(takeWhole, quietMs)
    })
    // Standard error is read and dropped. Otherwise the channel would stall.
    channel.stderr.resume()
    const finish = (status: number | null | undefined): void => {
      clearTimeout(quiet)
      if (status === undefined || status === null || status === 0) resolve(Buffer.concat(chunks))
      else reject(new AgentUnavailable('agent error', `The agent ended the exchange with status ${status}`))
    }
    channel.on('exit', finish)
    channel.on('close', () => finish(undefined))
    channel.on('error', (error: Error) => reject(new AgentUnavailable('closed', 'The channel broke', { cause: error })))
    if (request !== undefined) channel.write(request)
    channel.end()
  })
}
