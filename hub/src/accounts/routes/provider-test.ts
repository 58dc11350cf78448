import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { ProviderFailure } from '../providers/profile.ts'
import { blank } from '../../records/model/field-check.ts'
import { badRequest, notFound } from '../../records/model/record-error.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { refusedWith } from '../../records/model/field-errors.ts'
import { fields, textOrEmpty } from '../../http/routing/field-schemas.ts'
import { triedClientSchema } from '../providers/tried-client.ts'

/** Route by which an admin tests the client id and secret of a configured identity provider. The response quotes the provider's error. */
export const testProvider = defineRoute('POST /api/vedette/providers/:name/test', {
  tag: 'back-office',
  summary: 'Whether a stored sign-in provider can be reached and knows this hub',
  access: 'admin',
  body: fields(z.object({ redirectURL: textOrEmpty.refine((url) => url !== '', refusedWith(blank)) })),
  response: triedClientSchema,
  async handle(
    { params, body },
    { accounts: { providers, askProvider } }: { readonly accounts: Pick<Accounts, 'providers' | 'askProvider'> },
  ) {
    const { redirectURL } = await body()
    const provider = (await providers.load()).providers.find(({ name }) => name === params.name)
    if (provider === undefined) throw notFound()
    try {
      return await askProvider.tryClient(provider, redirectURL)
    } catch (error) {
      throw error instanceof ProviderFailure ? badRequest(`Failed to test the provider. Raw error: \n${error.message}`) : error
    }
  },
})
