import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

const rest = '//chat.googleapis.com/v1/spaces/FOO/messages?key=bar&token=baz'

for (const scheme of ['googlechat', 'hangouts'])
  test(`googleChat: ${scheme} is the webhook address with another scheme`, () =>
    assert.equal(requestBy(`${scheme}:${rest}`).url, `https:${rest}`))

test('googleChat: sends a card and a fallback text for mobile notifications', () =>
  assert.deepEqual(jsonBy(`googlechat:${rest}`, { message: { title: 'a <users/all>', body: '<users/all> & "x"' } }), {
    fallbackText: 'a <\u2060users/all>',
    cardsV2: [
      {
        cardId: 'notice',
        card: {
          header: { title: 'a <users/all>' },
          sections: [
            {
              widgets: [
                { textParagraph: { text: '&lt;users/all&gt; &amp; &quot;x&quot;' } },
                { buttonList: { buttons: [{ text: 'View db', onClick: { openLink: { url: message.link } } }] } },
              ],
            },
          ],
        },
      },
    ],
  }))

test('googleChat: the reason of a failure contains the service’s error message', () =>
  assert.deepEqual(
    verdictBy(`googlechat:${rest}`, answered(403, { error: { code: 403, message: 'No access', status: 'PERMISSION_DENIED' } })),
    {
      outcome: 'refused',
      reason: 'the server answered with status 403: No access',
      reached: [],
    },
  ))

for (const address of [
  'googlechat://chat.googleapis.com/v1/spaces/FOO/messages?key=bar',
  'googlechat://chat.googleapis.com/v1/spaces/FOO/messages?token=bar',
])
  test(`googleChat refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
