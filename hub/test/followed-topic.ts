import assert from 'node:assert/strict'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { RecordedHub } from './recorded-hub.ts'

/** A stream that follows a topic; `frames` are its events so far that are of the topic. */
export async function following(hub: RecordedHub, who: string, topic: string) {
  const reader = hub.realtime.connect().getReader()
  const decoder = new TextDecoder()
  let text = ''
  const read = async (count: number): Promise<readonly { readonly [key: string]: Json }[]> => {
    for (;;) {
      const events = text.split('\n\n').slice(0, -1)
      if (events.length >= count)
        return events.slice(1).map((event) => JSON.parse(/^data:(.*)$/m.exec(event)?.[1] ?? 'null') as { readonly [key: string]: Json }) // columns
      const { value, done } = await reader.read()
      assert.equal(done, false)
      text += decoder.decode(value, { stream: true })
    }
  }
  await read(1)
  const { clientId } = JSON.parse(/^data:(.*)$/m.exec(text)?.[1] ?? '{}') as { clientId: string } // the first event
  const token = who === '' ? '' : await hub.tokenOf(who)
  const subscribed = await hub.app.request('/api/realtime', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
    body: JSON.stringify({ clientId, subscriptions: [topic] }),
  })
  return { status: subscribed.status, read, close: () => reader.cancel() }
}
