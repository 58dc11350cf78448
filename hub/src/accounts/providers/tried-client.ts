import { z } from 'zod'
/**
 * Schema of the result of a provider test with an invalid authorization code. `accepted`: the provider rejected only that code, so client
 * id and secret are right. `refused`: it rejected client id, secret or redirect URL. `unclear`: its response shows neither.
 */
export const triedClientSchema = z.object({
  verdict: z.enum(['accepted', 'refused', 'unclear']),
  /**
   * Error code in the identity provider's response to the test of client id and secret, followed by its description if it sent one. If it
   * sent neither, a sentence that says so. At most 500 characters.
   */
  said: z.string(),
})
export type TriedClient = Readonly<z.infer<typeof triedClientSchema>>

const ofTheCode = ['invalid_grant', 'bad_verification_code']
const ofTheClient = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials', 'redirect_uri_mismatch']

const LONGEST_SAID = 500

/**
 * Converts the token endpoint's error code and description in a provider test to the result. That is the verdict `accepted`, `refused` or
 * `unclear`, and the text to show. Codes: RFC 6749, 5.2, and GitHub's own.
 */
export function triedClient(error: string, description: string): TriedClient {
  const verdict = ofTheCode.includes(error) ? 'accepted' : ofTheClient.includes(error) ? 'refused' : 'unclear'
  if (error === '' && description === '') return { verdict, said: 'it answered without a token and without an error' }
  return {
    verdict,
    said: [error, description]
      .filter((text) => text !== '')
      .join(': ')
      .slice(0, LONGEST_SAID),
  }
}
