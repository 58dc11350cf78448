import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { AddressError } from './address.ts'
import type { ChannelMessage } from './channel.ts'
import { channelKinds, readChannel, UnknownChannel, InternalDestination, sendToChannel, withoutSecrets } from './channels.ts'
import { webPushKey, jsonBy, publicationBy, requestBy, toldBy, message, NOW_MS } from '../../../test/told-channel.ts'
import { httpPeer } from '../../../test/http-peer.ts'
import { pushBrowser } from '../../../test/push-browser.ts'

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

/** Text of a code block. All line ends are `\n` there, which readers do not see. */
const fromCodeBlock = (content: unknown, given: Sent): Sent => {
  const [, title = '', body = ''] = /^```text\n(.*?)(?:\n\n(.*))?\n```$/s.exec(String(content)) ?? []
  // Without these, the text could close the block, or mention someone.
  assert.doesNotMatch(title + body, /``|@[\w*]/)
  const shownBody = body.replaceAll('\u2060', '')
  const isSame = shownBody === given.body.replaceAll(/\r\n?/g, '\n')
  return { title: title.replaceAll('\u2060', ''), body: isSame ? given.body : shownBody }
}

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
  'zulip://b:k@h': (address, given) =>
    fromCodeBlock(new URLSearchParams(String(requestBy(address, { message: given, hasLink: false }).body)).get('content'), given),
  'rocketchat://h/a/b': (address, given) => fromCodeBlock(jsonBy(address, { message: given, hasLink: false })['text'], given),
  'pagerduty://h/k': (address, given) => {
    const { payload } = JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body))
    return { title: payload.summary, body: payload.custom_details.text }
  },
  'mqtt://h/t?template=json': (address, given) => {
    const { title, message: body } = JSON.parse(publicationBy(address, { message: given, hasLink: false }).payload)
    return { title, body }
  },
  'generic://h/?template={"title":"{{title}}","body":"{{message}}"}': (address, given) =>
    JSON.parse(String(requestBy(address, { message: given, hasLink: false }).body)),
}

for (const [address, read] of Object.entries(shown))
  test(`channels: any text arrives unchanged at ${address.slice(0, 12)} and mentions nobody`, () =>
    fc.assert(
      fc.property(line, text, (title, body) => {
        assert.deepEqual(read(address, { title, body }), { title, body })
      }),
      { numRuns: 60 },
    ))

test('readChannel: every scheme is of one kind', () => {
  const schemes = channelKinds.flatMap((kind) => kind.schemes)
  assert.equal(new Set(schemes).size, schemes.length)
  assert.equal(channelKinds.length, 20)
})

for (const [address, scheme] of [
  ['nope://example.com', 'nope'],
  ['nonsense', ''],
  ['constructor://x', 'constructor'],
] as const)
  test(`readChannel: ${address} has an unknown scheme`, () =>
    assert.throws(
      () => readChannel(address, webPushKey),
      (error: unknown) => error instanceof UnknownChannel && error.scheme === scheme,
    ))

test('readChannel parses or refuses any address, and no error message contains a secret', () => {
  const part = fc.stringMatching(/^[\w.:@/?=&#%-]{0,24}$/)
  fc.assert(
    fc.property(fc.constantFrom(...channelKinds.flatMap(({ schemes }) => schemes)), part, part, (scheme, one, other) => {
      const secret = 'S3CR3Tvalue'
      try {
        readChannel(`${scheme}://${one}:${secret}@${other}?token=${secret}&key=${secret}`, webPushKey)
      } catch (error) {
        assert.ok(error instanceof AddressError)
        assert.ok(!error.message.includes(secret))
      }
    }),
    { numRuns: 1000 },
  )
})

test('channels: a message is cut to the size limit of each service', () => {
  const long = { title: 'T'.repeat(5000), body: '😀*'.repeat(9000) }
  assert.ok(String(jsonBy('discord://t@1', { message: long })['content']).length <= 2000)
  assert.ok(String(jsonBy('telegram://1:a@telegram?chats=1', { message: long })['text']).length <= 4096)
  assert.ok(String(jsonBy('pushover://s:t@u', { message: long })['message']).length <= 1024)
  assert.ok(String(jsonBy('mattermost://h/t', { message: long })['text']).length <= 4000)
  assert.ok(toldBy('signal://h/+1/+2', { message: long }).requests.every(({ body }) => String(body).length < 2500))
  for (const address of ['discord://t@1', 'telegram://1:a@telegram?chats=1', 'pushover://s:t@u', 'bark://:k@h'])
    assert.ok(String(requestBy(address, { message: long }).body).isWellFormed())
})

const tell = (address: string, mayAskInternal = true) =>
  sendToChannel(readChannel(address, webPushKey), message, { nowMs: NOW_MS, reached: [], mayAskInternal })

test('sendToChannel sends to public servers, and to internal servers only with permission', async () => {
  await using peer = await httpPeer()
  const address = `generic://127.0.0.1:${peer.port}/hook?disabletls=yes&template=json&@Authorization=Bearer%20key`
  assert.deepEqual(await tell(address), { outcome: 'delivered', reached: [] })
  const [first] = peer.received
  assert.deepEqual([first?.method, first?.url, first?.headers.authorization], ['POST', '/hook', 'Bearer key'])
  assert.equal(JSON.parse(first?.body ?? '').title, message.title)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
    await assert.rejects(tell(`generic://${host}:${peer.port}/?disabletls=yes`, false), InternalDestination, host)
  assert.equal(peer.received.length, 1)
})

test('sendToChannel never connects to the link-local address of cloud metadata services', async () => {
  const verdict = await tell('generic://169.254.169.254/?disabletls=yes')
  assert.ok(verdict.outcome === 'later' && verdict.reason.endsWith('its address is link-local'))
})

for (const [answer, expected] of [
  [
    { status: 500, body: 'the peer’s own words' },
    { outcome: 'later', reason: 'the server answered with status 500', reached: [] },
  ],
  [
    { status: 302, headers: { location: 'http://169.254.169.254/' } },
    { outcome: 'refused', reason: 'the server answered with status 302', reached: [] },
  ],
  [
    { status: 429, headers: { 'retry-after': '120' } },
    { outcome: 'later', reason: 'the server answered with status 429', afterMs: 120_000, reached: [] },
  ],
  [
    { status: 503, headers: { 'retry-after': new Date(NOW_MS + 60_000).toUTCString() } },
    { outcome: 'later', reason: 'the server answered with status 503', afterMs: 60_000, reached: [] },
  ],
  [
    { status: 429, headers: { 'retry-after': 'soon' } },
    { outcome: 'later', reason: 'the server answered with status 429', reached: [] },
  ],
] as const)
  test(`sendToChannel: the response ${JSON.stringify(answer)} is ${expected.outcome}`, async () => {
    await using peer = await httpPeer(() => answer)
    assert.deepEqual(await tell(`generic://127.0.0.1:${peer.port}/?disabletls=yes`), expected)
    assert.equal(peer.received.length, 1)
  })

test('sendToChannel: the reason of a failure contains no secret of the address', async () => {
  await using peer = await httpPeer(({ headers }) => ({
    status: 401,
    body: JSON.stringify({ error: `no such token ${String(headers['x-gotify-key'])}` }),
  }))
  const verdict = await tell(`gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`)
  assert.deepEqual(verdict, { outcome: 'refused', reason: 'the server answered with status 401: no such token ***', reached: [] })
  const nobody = await tell('generic://watch:pa%40ssword@127.0.0.1:1/x?disabletls=yes&key=s3cr%2Fet')
  assert.deepEqual(nobody, {
    outcome: 'later',
    reason: 'sending HTTP request: Post "http://watch:***@127.0.0.1:1/x?key=***": dial tcp 127.0.0.1:1: connect: connection refused',
    reached: [],
  })
})

test('sendToChannel rejects an address whose values no HTTP request can carry', () =>
  assert.rejects(tell('ntfy://127.0.0.1:1/t?token=a%0d%0ab'), AddressError))

test('sendToChannel gives up a server that sends no response within the deadline', async () => {
  const { promise: never } = Promise.withResolvers<never>()
  await using peer = await httpPeer(() => never)
  const talk = sendToChannel(readChannel(`generic://127.0.0.1:${peer.port}/?disabletls=yes`, webPushKey), message, {
    nowMs: NOW_MS,
    reached: [],
    mayAskInternal: true,
    deadlineMs: 50,
  })
  assert.match(JSON.stringify(await talk), /no answer within/)
})

test('sendToChannel accepts a self-signed certificate only if the address allows it', async () => {
  await using peer = await httpPeer(() => ({ status: 200 }), { isTls: true })
  const address = `gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa`
  assert.equal((await tell(address)).outcome, 'later')
  assert.equal((await tell(`${address}?insecureskipverify=yes`)).outcome, 'delivered')
  assert.equal(peer.received.length, 1)
})

for (const [text, secrets, shown] of [
  ['token abcd1234 is wrong', ['abcd1234'], 'token *** is wrong'],
  ['https://h/?k=p%2Fass+word and p%2Fass%20word and p/ass word', ['p/ass word'], 'https://h/?k=*** and *** and ***'],
  ['abcd abcdefgh', ['abcd', 'abcdefgh'], '*** ***'],
  ['yes or no', ['', 'or', 'no'], 'yes or no'],
] as const)
  test(`withoutSecrets removes the secrets from ${text}`, () => assert.equal(withoutSecrets(text, secrets), shown))

const acknowledgeLink = 'https://hub.example/acknowledge#incident0000001.owner0000000001.1772323200.s_i-g'
const push = pushBrowser()

/** An address of each kind, and the maximum length of the text with the link that its provider accepts. */
const everyKind: Readonly<Record<string, readonly [address: string, most?: number]>> = {
  Bark: ['bark://:k@h'],
  Discord: ['discord://t@1'],
  'generic webhook': ['generic://h'],
  'Google Chat': ['googlechat://h/x?key=k&token=t'],
  Gotify: ['gotify://h/t'],
  Lark: ['lark://open.larksuite.com/t'],
  Matrix: ['matrix://:t@h?rooms=!a:h'],
  Mattermost: ['mattermost://h/t', 4000],
  MQTT: ['mqtt://h/t?template=json'],
  ntfy: ['ntfy://h/t'],
  PagerDuty: ['pagerduty://h/k'],
  Pushbullet: ['pushbullet://t'],
  Pushover: ['pushover://s:t@u', 1024],
  'Rocket.Chat': ['rocketchat://h/a/b'],
  Signal: ['signal://h/+491234567/+491234568'],
  Slack: ['slack://hook:A-B-c@webhook'],
  'Microsoft Teams': ['teams://?host=h.example%2Fworkflows%2Fa'],
  Telegram: ['telegram://1:a@telegram?chats=1', 4096],
  Zulip: ['zulip://b:k@h', 10_000],
  'Web Push': [`webpush://push.example/send/abc?p256dh=${push.p256dh}&auth=${push.auth}`],
}

/** Texts in the request or publication for a message, decoded. */
function textsIn(address: string, given: Partial<ChannelMessage>): readonly string[] {
  const found: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one)
  }
  if (address.startsWith('mqtt:')) {
    collect(JSON.parse(publicationBy(address, { message: given }).payload))
    return found
  }
  const { headers, body } = requestBy(address, { message: given })
  if (headers['actions'] !== undefined) collect(JSON.parse(headers['actions']))
  if (body instanceof Uint8Array) collect(push.decrypted(body))
  else if (headers['content-type']?.includes('json') === true && body?.startsWith('{') === true) collect(JSON.parse(body))
  else if (headers['content-type']?.includes('form-urlencoded') === true) collect([...new URLSearchParams(String(body)).values()])
  else collect(body)
  return found
}

test('channels: the table of addresses has every kind of channel', () =>
  assert.deepEqual(Object.keys(everyKind).toSorted(), channelKinds.map(({ name }) => name).toSorted()))

for (const [name, [address, most = Infinity]] of Object.entries(everyKind))
  test(`channels: ${name} sends the whole link that acknowledges, also after a long text, and the rest as without it`, () => {
    for (const body of [message.body, 'word '.repeat(3000)]) {
      const before = textsIn(address, { body })
      const texts = textsIn(address, { body, acknowledgeLink })
      const [withLink, ...others] = texts.filter((one) => one.includes(acknowledgeLink))
      assert.ok(withLink !== undefined && others.every((one) => one.includes(acknowledgeLink)))
      assert.ok(withLink === acknowledgeLink || /(?:^|\n)Acknowledge: https:\S+$|>Acknowledge<\/a>$/.test(withLink), withLink)
      assert.ok(withLink.length <= most, `${withLink.length} characters`)
      if (body === message.body) assert.ok(before.every((one) => texts.some((text) => text.startsWith(one))))
      assert.ok(!before.some((one) => one.includes('cknowledge')))
    }
  })

test('channels: a pushover message with a link that is too long for it stays without the link', () => {
  const long = `https://hub.example/${'a'.repeat(600)}#token`
  assert.equal(jsonBy('pushover://s:t@u', { message: { acknowledgeLink: long } })['message'], message.body)
})

test('channels: generic sends the link that acknowledges in a field of its own', () => {
  const address = 'generic://h/?template=json&$acknowledge={{acknowledge}}'
  assert.equal(jsonBy(address, { message: { acknowledgeLink } })['acknowledge'], acknowledgeLink)
  assert.equal(jsonBy(address)['acknowledge'], '')
})

test('sendToChannel masks the token of the link that acknowledges in the reason of a failure', async () => {
  await using peer = await httpPeer(({ url, body }) => ({ status: 400, body: `I refuse ${url}: ${body}` }))
  const channel = readChannel(`ntfy://127.0.0.1:${peer.port}/topic?scheme=http`, webPushKey)
  const echoed = readChannel(`generic://127.0.0.1:1/?disabletls=yes&method=GET&link={{acknowledge}}`, webPushKey)
  for (const one of [channel, echoed]) {
    const verdict = await sendToChannel(one, { ...message, acknowledgeLink }, { nowMs: NOW_MS, reached: [], mayAskInternal: true })
    assert.ok(verdict.outcome !== 'delivered' && !verdict.reason.includes('s_i-g'), JSON.stringify(verdict))
  }
})
