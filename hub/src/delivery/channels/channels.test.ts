import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AddressError } from './address.ts'
import { channelKinds, readChannel, UnknownChannel } from './channels.ts'
import { hubSide, jsonBy, requestBy, toldBy } from '../../../test/told-channel.ts'

const text = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .chain((start) =>
    fc
      .constantFrom('', '@everyone', '<!channel>', '<@U1>', '<users/all>', '<at user_id="all">', '@room', '*b* _i_ `c`', '[x](http://y)')
      .map((live) => `${start}${live}`),
  )
  // Channels insert word joiners to break mentions. Readers do not see them, so inputs have none.
  .map((one) => one.replaceAll('\u2060', ''))
const line = text.map((one) => one.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())

const fromEntities = (escaped: string) =>
  escaped.replaceAll(
    /&(?:amp|lt|gt|quot|#39);/g,
    (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? entity,
  )
const fromMarkdown = (escaped: string) => escaped.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('\u2060', '')

type Sent = { readonly title: string; readonly body: string }

/** Returns the text that readers see, for each kind of channel. */
const shown: Readonly<Record<string, (address: string, given: Sent) => Sent>> = {
  'discord://t@1': (address, given) => {
    const { content, embeds } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    // Without escaping this would be a mention, or markup.
    assert.doesNotMatch(embeds[0].description, /(?<!\\)(?:\\\\)*[@<*_`[]/)
    return { title: fromMarkdown(content.slice(2, -2)), body: fromMarkdown(embeds[0].description) }
  },
  'slack://hook:A-B-c@webhook': (address, given) => {
    const { text: title, attachments } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    assert.doesNotMatch(title + attachments[0].text, /[<>]/)
    return { title: fromEntities(title), body: fromEntities(attachments[0].text) }
  },
  'telegram://1:a@telegram?chats=1': (address, given) => {
    const { text: all, entities } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    assert.doesNotMatch(all, /@\w/)
    const title = all.slice(0, entities[0].length)
    return { title: title.replaceAll('\u2060', ''), body: all.slice(title.length + 2).replaceAll('\u2060', '') }
  },
  'mattermost://h/t': (address, given) => {
    const { text: all } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    assert.doesNotMatch(all, /@[\w\\]/)
    const end = all.indexOf('\n\n')
    return { title: fromMarkdown(all.slice(5, end)), body: fromMarkdown(all.slice(end + 2)) }
  },
  'matrix://:t@h?rooms=!a:h': (address, given) => {
    const sent = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    assert.deepEqual(sent['m.mentions'], {})
    const [title, body] = sent.formatted_body.replace('<strong>', '').split('</strong><br><br>')
    return { title: fromEntities(title), body: fromEntities(body.replaceAll('<br>', '\n')) }
  },
  'googlechat://h/x?key=k&token=t': (address, given) => {
    const { cardsV2, fallbackText } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    assert.doesNotMatch(fallbackText, /<\w/)
    const [{ card }] = cardsV2
    return { title: card.header.title, body: fromEntities(card.sections[0].widgets[0].textParagraph.text) }
  },
  'gotify://h/t': (address, given) => {
    const { title, message } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    return { title, body: message }
  },
  'generic://h/?template={"title":"{{title}}","body":"{{message}}"}': (address, given) =>
    JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body)),
}

for (const [address, read] of Object.entries(shown))
  test(`channels: any text arrives at ${address.slice(0, 12)} as it was, and calls nobody`, () =>
    fc.assert(
      fc.property(line, text, (title, body) => {
        assert.deepEqual(read(address, { title, body }), { title, body })
      }),
      { numRuns: 60 },
    ))

test('readChannel: every scheme is of one kind', () => {
  const schemes = channelKinds.flatMap((kind) => kind.schemes)
  assert.equal(new Set(schemes).size, schemes.length)
  assert.equal(channelKinds.length, 16)
})

for (const [address, scheme] of [
  ['nope://example.com', 'nope'],
  ['nonsense', ''],
  ['constructor://x', 'constructor'],
] as const)
  test(`readChannel: ${address} is of no kind`, () =>
    assert.throws(
      () => readChannel(address, hubSide),
      (error: unknown) => error instanceof UnknownChannel && error.scheme === scheme,
    ))

test('readChannel: whatever stands there is read or refused, and no refusal holds a secret', () => {
  const part = fc.stringMatching(/^[\w.:@/?=&#%-]{0,24}$/)
  fc.assert(
    fc.property(fc.constantFrom(...channelKinds.flatMap(({ schemes }) => schemes)), part, part, (scheme, one, other) => {
      const secret = 'S3CR3Tvalue'
      try {
        readChannel(`${scheme}://${one}:${secret}@${other}?token=${secret}&key=${secret}`, hubSide)
      } catch (error) {
        assert.ok(error instanceof AddressError)
        assert.ok(!error.message.includes(secret))
      }
    }),
    { numRuns: 1000 },
  )
})

test('channels: a telephone takes no more than it can', () => {
  const long = { title: 'T'.repeat(5000), body: '😀*'.repeat(9000) }
  assert.ok(String(jsonBy('discord://t@1', { message: long })['content']).length <= 2000)
  assert.ok(String(jsonBy('telegram://1:a@telegram?chats=1', { message: long })['text']).length <= 4096)
  assert.ok(String(jsonBy('pushover://s:t@u', { message: long })['message']).length <= 1024)
  assert.ok(String(jsonBy('mattermost://h/t', { message: long })['text']).length <= 4000)
  assert.ok(toldBy('signal://h/+1/+2', { message: long }).requests.every(({ body }) => String(body).length < 2500))
  for (const address of ['discord://t@1', 'telegram://1:a@telegram?chats=1', 'pushover://s:t@u', 'bark://:k@h'])
    assert.ok(String(requestBy(address, { message: long }).body).isWellFormed())
})
