import assert from 'node:assert/strict'
import { call, type SignedIn } from '../hubs-of-one-database.ts'

/** The token with which every agent of a test enrols. */
export const TOKEN = 'token-of-all-agents'

type Hub = { readonly address: string }

/** Lets agents enrol with {@link TOKEN}. */
export async function lendToken(hub: Hub, token: string): Promise<void> {
  const { status } = await call(hub, token, `GET /api/beszel/universal-token?enable=1&permanent=1&token=${TOKEN}`)
  assert.equal(status, 200)
}

/** Adds an alert of the processor of each system. Returns the systems' ids by name. */
export async function addProcessorAlerts(hub: Hub, { token, id: user }: SignedIn): Promise<ReadonlyMap<string, string>> {
  const { body } = await call(hub, token, 'GET /api/collections/systems/records?perPage=500')
  const systems = body['items'] as unknown as readonly { readonly id: string; readonly name: string }[] // a page
  for (const { id } of systems) {
    const alert = { user, system: id, name: 'CPU', value: 80, min: 1 }
    const { status } = await call(hub, token, 'POST /api/collections/alerts/records', alert)
    assert.equal(status, 200)
  }
  return new Map(systems.map(({ id, name }) => [name, id]))
}
