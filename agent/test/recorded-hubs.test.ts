import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { actionNumbers, decodeRequest, encodeRequest, type Message, type Request } from '@vedette/protocol/wire/request'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { fromHex, readRecording } from '../../protocol/test/recorded.ts'
import { hubKey, RunningAgent } from './running-agent.ts'
import { ScriptedHub, signToken } from './scripted-hub.ts'
import { SshHub } from './ssh-client.ts'

type Event = { readonly from?: string; readonly frame?: string; readonly payload_hex?: string; readonly stdin_hex?: string }
type Recording = { readonly scenarios: readonly { readonly events?: readonly Event[] }[] }

/** The distinct requests that recorded hubs of this kind sent, without their ids. */
function requestsIn(path: string, hexOf: (event: Event) => string | undefined): readonly Message[] {
  const different = new Map<string, Message>()
  for (const event of readRecording<Recording>(path).scenarios.flatMap(({ events }) => events ?? [])) {
    const hex = hexOf(event)
    const item = hex === undefined ? undefined : decodeCbor(fromHex(hex), nodeUtf8)
    const decoded = item?.ok === true ? decodeRequest(item.value) : undefined
    if (hex === undefined) continue
    assert.ok(decoded?.ok, `a hub's request cannot be read: ${hex}`)
    const { request, id } = decoded.message
    // The encoded request equals the hub's bytes, so the decoder lost nothing.
    assert.deepEqual(encodeCbor(encodeRequest(decoded.message), nodeUtf8), fromHex(hex))
    const key = `${request.action}${id === undefined ? '' : ' with id'} ${request.action === 'fingerprint' ? String(request.needSystemInfo) : JSON.stringify(request)}`
    different.set(key, decoded.message)
  }
  return [...different.values()]
}

const overWebSocket = (event: Event) => (event.from === 'hub' && event.frame === 'binary' ? event.payload_hex : undefined)
const TOKEN = 'test-token'
const signature = signToken(hubKey.privateText, TOKEN)

/** Checks the response to each action by an agent without containers, drives and systemd. */
const answers: Readonly<Record<Request['action'], (envelope: Parameters<typeof decodeEnvelope>[0]) => void>> = {
  data: (item) => assert.ok(replyOf(item, 'document').kind === 'document'),
  fingerprint: (item) => assert.ok(replyOf(item, 'identity').kind === 'identity'),
  'container-logs': (item) => assert.deepEqual(replyOf(item, 'text'), { kind: 'text', text: '' }),
  'container-inspect': (item) => assert.deepEqual(replyOf(item, 'text'), { kind: 'text', text: '' }),
  smart: (item) => assert.equal(decodeEnvelope(item, 'smart').ok, false),
  'service-details': (item) => assert.deepEqual(replyOf(item, 'service'), { kind: 'error', message: 'unsupported operation' }),
  diagnosis: () => assert.fail('no recorded hub asks for it'),
  'forget-proof': () => assert.fail('no recorded hub asks for it'),
}

function replyOf(item: Parameters<typeof decodeEnvelope>[0], expected: Exclude<Reply['kind'], 'error'>): Reply {
  const envelope = decodeEnvelope(item, expected)
  assert.ok(envelope.ok, JSON.stringify(envelope))
  return envelope.reply
}

const withoutDrives = { SMART_DEVICES: '' }

for (const hub of ['head', '0.12.12']) {
  test(`agent responds over WebSocket to every recorded request of hub ${hub}`, async () => {
    const recorded = requestsIn(`hub-link/ws/${hub}/scenarios.json`, overWebSocket)
    assert.ok(recorded.length >= (hub === 'head' ? 6 : 2))
    await using scripted = await ScriptedHub.start()
    await using _agent = await RunningAgent.start({ HUB_URL: scripted.url, TOKEN, LISTEN: '127.0.0.1:0', ...withoutDrives })
    const connection = await scripted.agent()
    connection.send({ id: 1, request: { action: 'fingerprint', signature, needSystemInfo: false } })
    await connection.receive()
    for (const { request, id } of recorded) {
      const own = request.action === 'fingerprint' ? { ...request, signature } : request
      connection.send(id === undefined ? { request: own } : { id, request: own })
      const item = await connection.receive()
      if (id !== undefined) {
        assert.equal(item.get(0), id)
        answers[request.action](item)
      } else if (request.action === 'data') assert.ok(decodeDocument(item).ok)
      else assert.equal(typeof item.get(0), 'string', 'a bare identity')
    }
  })
}

const agent = RunningAgent.start({ LISTEN: '127.0.0.1:0', ...withoutDrives })
after(async () => (await agent)[Symbol.asyncDispose]())

for (const path of ['hub-link/ssh/head/sessions.json', 'hub-link/ws/head/scenarios.json']) {
  for (const message of requestsIn(path, ({ stdin_hex }) => stdin_hex)) {
    const { request } = message
    test(`agent responds over SSH to the request of hub head: ${actionNumbers[request.action]} ${JSON.stringify(request)} (${path})`, async () => {
      await using hub = await SshHub.connect(await (await agent).sshPort(), hubKey.privateText)
      const { stdout, exitStatus } = await hub.shell(encodeCbor(encodeRequest(message), nodeUtf8), { end: true })
      assert.equal(exitStatus, 0)
      const item = decodeCbor(stdout, nodeUtf8)
      assert.ok(item.ok)
      answers[request.action](item.value)
    })
  }
}
