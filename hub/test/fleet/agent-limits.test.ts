import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { standardAgentLimits } from '../../src/fleet/websocket/agent-connect.ts'
import { standardDeadlines } from '../../src/fleet/session/deadlines.ts'
import { databases } from '../databases.ts'
import { agentUpgrade, rawConnection, SWITCHED, type RawConnection } from '../raw-connection.ts'
import { BINARY, rawAgent, type RawAgent } from '../raw-frames.ts'
import { fleetOn, type RunningFleet } from '../running-fleet.ts'
import { bytesOf } from '../scripted-agent.ts'

const [kind] = databases
assert.ok(kind)

const TOKEN = 'token-of-one-system'
const areOpen = (all: readonly (RawConnection | RawAgent)[]): readonly boolean[] => all.map((one) => one.isOpen())

async function withSystem({ addSystem, addToken }: RunningFleet, token: string): Promise<void> {
  const { id } = await addSystem({ host: '127.0.0.1', port: '9' })
  await addToken(id, token)
}

/** An agent that connects with a valid token and never identifies itself. */
async function silentAgent({ url }: RunningFleet, token: string): Promise<RawConnection> {
  const one = await rawConnection(Number(new URL(url).port))
  one.write(agentUpgrade(token))
  assert.match(await one.reads(/\r\n\r\n/), SWITCHED)
  return one
}

// The hub closes these connections anyway 40 s after the upgrade, or 30 s after its close frame.
const timeout = 25_000

test('8 agents with one token may stay unidentified; another agent closes the oldest, and no other connection', { timeout }, async () => {
  await using fleet = await fleetOn(kind)
  await withSystem(fleet, TOKEN)
  await withSystem(fleet, 'token-of-a-neighbour')
  assert.equal(standardAgentLimits.perToken, 8)
  const held: RawConnection[] = []
  for (let at = 0; at < 8; at++) held.push(await silentAgent(fleet, TOKEN))
  const neighbour = await silentAgent(fleet, 'token-of-a-neighbour')
  assert.deepEqual(areOpen(held), Array(8).fill(true))
  const newest = await silentAgent(fleet, TOKEN)
  // The connection is a WebSocket by now: an HTTP response would be no frame.
  assert.doesNotMatch((await held[0]?.ended) ?? '', /429/)
  await silentAgent(fleet, TOKEN)
  await held[1]?.ended
  assert.deepEqual(areOpen([...held.slice(2), newest, neighbour]), Array(8).fill(true))
})

test('a shared token admits more unidentified agents; one beyond its own limit closes the oldest', { timeout }, async () => {
  assert.equal(standardAgentLimits.perSharedToken, 16_384)
  const perSharedToken = 12
  await using fleet = await fleetOn(kind, standardDeadlines, { limits: { ...standardAgentLimits, perSharedToken } })
  await withSystem(fleet, 'shared')
  await withSystem(fleet, 'shared')
  const held: RawConnection[] = []
  for (let at = 0; at < perSharedToken; at++) held.push(await silentAgent(fleet, 'shared'))
  await withSystem(fleet, TOKEN)
  const neighbour = await silentAgent(fleet, TOKEN)
  assert.deepEqual(areOpen(held), Array(perSharedToken).fill(true))
  const newest = await silentAgent(fleet, 'shared')
  await held[0]?.ended
  assert.deepEqual(areOpen([...held.slice(1), newest, neighbour]), Array(perSharedToken + 1).fill(true))
})

test('agents of one system may have 4 connections that do not close; another connection ends the oldest', { timeout }, async () => {
  await using fleet = await fleetOn(kind)
  const { url } = fleet
  await withSystem(fleet, TOKEN)
  assert.equal(standardAgentLimits.perSystem, 4)
  const payload = bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'one machine' } }, 1))
  const stubborn = (): Promise<RawAgent> => {
    const { promise: isAsked, resolve } = Promise.withResolvers<void>()
    const onRequest = (index: number) => {
      resolve()
      return index === 0 ? [{ opcode: BINARY, payload }] : []
    }
    const opened = rawAgent({ url, token: TOKEN, version: '0.18.8', onRequest, ignoresClose: true })
    return isAsked.then(() => opened)
  }
  const held = [await stubborn(), await stubborn(), await stubborn(), await stubborn()]
  // The hub itself closes the fourth of the agents that replace each other, and then admits another one.
  await held[3]?.dismissed
  await silentAgent(fleet, TOKEN)
  assert.deepEqual(areOpen(held), Array(4).fill(true))
  const newest = await stubborn()
  await held[0]?.ended
  assert.deepEqual(areOpen([...held.slice(1), newest]), Array(4).fill(true))
})
