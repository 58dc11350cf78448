import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { fromHex, readRecording } from '../../protocol/test/recorded.ts'
import { RunningAgent } from './running-agent.ts'

type Handshake = {
  readonly sent_before_any_byte_of_the_agent_hex: string
  readonly kexinit_payload_hex: string
  readonly kexinit_packet_padding: number
}

const agent = RunningAgent.start({ LISTEN: '127.0.0.1:0' })
after(async () => (await agent)[Symbol.asyncDispose]())

const listNames = [
  'kex',
  'host key',
  'cipher to server',
  'cipher to client',
  'MAC to server',
  'MAC to client',
  'compression to server',
  'compression to client',
]
const MESSAGE_BYTES = 1
const COOKIE_BYTES = 16

/** The name lists of a KEXINIT payload, RFC 4253 §7.1. */
function nameLists(payload: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const bytes = Buffer.from(payload)
  let offset = MESSAGE_BYTES + COOKIE_BYTES
  return new Map(
    listNames.map((name) => {
      const length = bytes.readUInt32BE(offset)
      const list = bytes.toString('ascii', offset + 4, offset + 4 + length)
      offset += 4 + length
      return [name, list.split(',')]
    }),
  )
}

/** RFC 4253 §6: packet length, padding length, payload, padding. */
function packet(payload: Uint8Array, padding: number): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head.writeUInt8(padding, 4)
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

/** Reads until `enough` returns true for the data so far. */
function readUntil<T>(socket: Socket, enough: (bytes: Buffer) => T | undefined): Promise<T> {
  let bytes: Buffer = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    socket.on('close', () => reject(new Error('the agent closed the connection')))
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      const found = enough(bytes)
      if (found !== undefined) resolve(found)
    })
  })
}

for (const hub of ['head', '0.12.12', '0.2.0']) {
  test(`ssh server and recorded hub ${hub} negotiate a common algorithm of every kind`, async () => {
    const recorded = readRecording<Handshake>(`hub-link/ssh/${hub}/handshake.json`)
    const socket = connect({ host: '127.0.0.1', port: await (await agent).sshPort(), noDelay: true })
    const identification = await readUntil(socket, (bytes) => (bytes.includes('\r\n') ? bytes.toString('latin1') : undefined))
    assert.match(identification, /^SSH-2\.0-beszel_0\.18\.8\+vedette\.[\d.]+\r\n/)
    const offered = fromHex(recorded.kexinit_payload_hex)
    socket.write(fromHex(recorded.sent_before_any_byte_of_the_agent_hex))
    socket.write(packet(offered, recorded.kexinit_packet_padding))
    const ours = await readUntil(socket, (bytes) => {
      const start = bytes[0] === 0x53 ? bytes.indexOf('\r\n') + 2 : 0
      const length = bytes.length >= start + 5 ? bytes.readUInt32BE(start) : Infinity
      return bytes.length >= start + 4 + length ? nameLists(bytes.subarray(start + 5)) : undefined
    })
    socket.destroy()
    for (const [name, theirs] of nameLists(offered)) {
      // The cipher authenticates its data itself, so the negotiated MAC is not used.
      assert.ok(
        theirs.some((algorithm) => ours.get(name)?.includes(algorithm)),
        `${name}: ${theirs.join()} | ${ours.get(name)?.join() ?? ''}`,
      )
    }
  })
}
