/** Who may ask: the finer decision is the access rules'. */
export type Asker = 'anybody' | 'signed in' | 'admin' | 'agent'

/** One thing the hub answers. `body` names the fields of a JSON body, `query` those of the address. */
export type Operation = {
  /** `GET /api/health`, with `{name}` for what varies. */
  readonly call: string
  readonly tag: 'hub' | 'sign-in' | 'realtime' | 'agents' | 'history' | 'alerts' | 'back-office'
  readonly asker: Asker
  readonly summary: string
  readonly query?: readonly string[]
  readonly body?: readonly string[]
  /** What it answers when all is well, if that is not JSON. */
  readonly answers?: 'nothing' | 'events' | 'text' | 'page'
}
