import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** One letter as it arrived. */
export type Arrived = {
  readonly from: string
  readonly to: readonly string[]
  readonly mail: Email
  readonly encrypted: boolean
  readonly user: string
}

export type TestSmtp = AsyncDisposable & {
  readonly port: number
  readonly arrived: readonly Arrived[]
  /** The next letter that has not been given yet; the test's own timeout is the limit. */
  readonly next: () => Promise<Arrived>
}

type Login = { readonly username: string; readonly password: string }

/** A real SMTP server on its own port. With `login` it accepts emails only after this login. */
export async function testSmtp({ login, ...options }: SMTPServerOptions & { readonly login?: Login } = {}): Promise<TestSmtp> {
  const arrived: Arrived[] = []
  let given = 0
  let tell = (): void => {}
  const server = new SMTPServer({
    // A fixed name, and no reverse DNS look-ups.
    name: 'mail.test',
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    authOptional: login === undefined,
    onAuth: ({ username = '', password = '' }, _session, done) => {
      if (username === login?.username && password === login.password) done(null, { user: username })
      else done(Object.assign(new Error('5.7.8 Wrong user name or password, says the test'), { responseCode: 535 }))
    },
    onData: (stream, session, done) => {
      const take = async (): Promise<void> => {
        // A hub that stops cuts the connection in the middle of a letter: then nothing has arrived.
        const bytes = await buffer(stream).catch(() => undefined)
        if (bytes === undefined) return
        const mail = await PostalMime.parse(bytes)
        const { mailFrom, rcptTo } = session.envelope
        arrived.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          mail,
          encrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : '',
        })
      }
      void take().finally(() => {
        done()
        tell()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo // it listens on a port
  return {
    port,
    arrived,
    async next() {
      for (;;) {
        const one = arrived[given]
        if (one !== undefined) {
          given += 1
          return one
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        tell = resolve
        await promise
      }
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
