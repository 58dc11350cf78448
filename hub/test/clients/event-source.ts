type Listener = (event: MessageEvent) => void

/**
 * EventSource, which Node does not have: a reader of server-sent events (HTML standard, 9.2), as far as the clients under test
 * use it. It does not reconnect: the clients do that.
 */
export class TestEventSource {
  onerror: ((event: Event) => void) | null = null
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #closing = new AbortController()

  constructor(url: string | URL) {
    this.#read(String(url)).catch(() => {
      if (!this.#closing.signal.aborted) this.onerror?.(new Event('error'))
    })
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener))
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  close(): void {
    this.#closing.abort()
  }

  async #read(url: string): Promise<void> {
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: this.#closing.signal })
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = (text + chunk).split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) this.#dispatch(frame)
    }
    throw new Error('the stream has ended')
  }

  #dispatch(frame: string): void {
    const fields = new Map(
      frame.split('\n').map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    )
    const type = fields.get('event')
    if (type === undefined) return
    const event = new MessageEvent(type, { data: fields.get('data') ?? '', lastEventId: fields.get('id') ?? '' })
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }
}
