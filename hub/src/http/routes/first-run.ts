import { Hono } from 'hono'
import { TooManyAttemptsError } from '../../auth/auth.ts'
import type { Attempts } from '../../auth/attempts.ts'
import type { FirstRun } from '../../auth/first-run.ts'
import { asText } from '../../records/record-row.ts'
import { readTexts } from '../request-body.ts'
import { isFromHere, remoteAddress, type Signed } from '../signed.ts'

/** The first admin, while there is nobody yet. Who is not on this machine must show the code that the hub printed. */
export function firstRunRoute(firstRun: FirstRun, attempts: Attempts): Hono<Signed> {
  return new Hono<Signed>()
    .get('/api/beszel/first-run', async (c) => {
      const open = await firstRun.isOpen()
      return c.json({ firstRun: open, setupCodeNeeded: open && !isFromHere(c) })
    })
    .post('/api/beszel/create-user', async (c) => {
      const body = await readTexts(c)
      const here = isFromHere(c)
      const waitSeconds = here ? undefined : attempts.refuse(`${remoteAddress(c)} set-up`)
      if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
      await firstRun.createAdmin({
        email: asText(body['email'] ?? ''),
        password: asText(body['password'] ?? ''),
        setupCode: here ? 'not needed' : asText(body['setupCode'] ?? ''),
      })
      return c.json({ msg: 'User created' })
    })
}
