import assert from 'node:assert/strict'

/** Subscribes to topics as a browser does; at `subscribeAt` when a load balancer led it to another hub. `next` resolves with the first event after the call that `fits`. */
export async function streamedEvents(address: string, token: string, subscriptions: readonly string[], subscribeAt = address) {
  const aborted = new AbortController()
  const response = await fetch(`${address}/api/realtime`, { signal: aborted.signal })
  assert.ok(response.body !== null)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const waiting = new Set<{ readonly fits: (event: string) => boolean; readonly resolve: (event: string) => void }>()
  const { promise: connected, resolve: onConnected } = Promise.withResolvers<string>()
  waiting.add({ fits: (event) => event.includes('PB_CONNECT'), resolve: onConnected })

  async function read(): Promise<void> {
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const events = (text + value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) hand(event)
    }
  }

  function hand(event: string): void {
    for (const one of [...waiting].filter(({ fits }) => fits(event))) {
      waiting.delete(one)
      one.resolve(event)
    }
  }
  // The end of the stream is the test's own doing.
  void read().catch(() => {})
  const { clientId } = JSON.parse(/^data:(.*)$/m.exec(await connected)?.[1] ?? '{}') as { readonly clientId: string } // the first event
  const subscribed = await fetch(`${subscribeAt}/api/realtime`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, subscriptions }),
  })
  assert.equal(subscribed.status, 204)
  return {
    clientId,
    next: (fits: (event: string) => boolean) => new Promise<string>((resolve) => waiting.add({ fits, resolve })),
    [Symbol.asyncDispose]: async () => aborted.abort(),
  }
}
