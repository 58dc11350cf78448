import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { z } from 'zod'
import { signInFirst } from '../../accounts/auth.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { notFound } from '../../records/model/record-error.ts'

const addresses = ['/api/beszel/getkey', '/api/beszel/info'] as const

/**
 * List of the HTTP routes that return the hub's public SSH key and version to signed-in users. The paths and methods are those that
 * Beszel's clients of all versions use.
 */
export const hubInfoRoutes = addresses.flatMap((path) =>
  (['GET', 'POST'] as const).map((method) =>
    defineRoute(`${method} ${path}`, {
      tag: 'hub',
      summary: 'The public key of the hub, which agents must be given, and its version',
      access: { door: 'anyone', decidedBy: 'a session; a guest gets 401, or 404 with POST' },
      ...(method === 'GET' && path === '/api/beszel/info' ? { keys: 'read' } : {}),
      response: z.object({ key: z.string(), v: z.string(), cu: z.boolean() }),
      picksFields: true,
      handle({ actor }, { publicKey }: { readonly publicKey: string }) {
        if (actor === undefined) throw method === 'POST' ? notFound() : signInFirst()
        // `cu`: whether the hub checks for updates.
        return { key: publicKey, v: ANNOUNCED_VERSION, cu: false }
      },
    }),
  ),
)
