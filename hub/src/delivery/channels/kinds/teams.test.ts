import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

const group = '11111111-4444-4444-8444-cccccccccccc'
const tenant = '22222222-4444-4444-8444-cccccccccccc'
const hook = `teams://${group}@${tenant}/3333/${group}/V2ESyij_x?host=contoso.webhook.office.com&color=FF0000`
const workflow = 'https://prod-1.westeurope.logic.azure.com:443/workflows/ab/triggers/manual/paths/invoke?api-version=2016-06-01&sig=s3cret'

test('teams: sends to the incoming webhook of the address', () =>
  assert.equal(
    requestBy(hook).url,
    `https://contoso.webhook.office.com/webhookb2/${group}@${tenant}/IncomingWebhook/3333/${group}/V2ESyij_x`,
  ))

for (const written of [workflow, workflow.slice('https://'.length)])
  test(`teams: sends to a workflow address of the form ${written.slice(0, 12)}`, () =>
    assert.equal(requestBy(`teams://?host=${encodeURIComponent(written)}`).url, workflow.replace(':443', '')))

test('teams: sends a card whose texts contain no Markdown', () =>
  assert.deepEqual(jsonBy(hook), {
    type: 'message',
    summary: message.title,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            {
              type: 'RichTextBlock',
              inlines: [{ type: 'TextRun', text: message.title, weight: 'bolder', size: 'medium', color: 'attention' }],
            },
            { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: message.body }] },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'View db', url: message.link }],
        },
      },
    ],
  }))

for (const [answer, outcome] of [
  [answered(202), 'delivered'],
  [answered(200, '1'), 'delivered'],
  [answered(200, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x'), 'later'],
  [
    answered(200, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId x'),
    'refused',
  ],
  [answered(401, { error: { code: 'DirectApiAuthorizationRequired', message: 'sign in' } }), 'refused'],
] as const)
  test(`teams: the response ${JSON.stringify(answer)} is ${outcome}`, () => assert.equal(verdictBy(hook, answer).outcome, outcome))

for (const address of [
  'teams://a@b/c/d/e',
  'teams://?host=',
  'teams://?host=example.com',
  'teams://a@b/c?host=x.webhook.office.com',
  'teams://a@b/c/d/e?host=x/y',
])
  test(`teams refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
