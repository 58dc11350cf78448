import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { message, publicationBy } from '../../../../test/told-channel.ts'

const standard = { hostname: 'broker.example', port: 1883, isEncrypted: false, acceptsAnyCertificate: false, isRetained: false }

for (const [address, expected] of [
  ['mqtt://broker.example/home/alerts', { ...standard, user: '', password: '', topic: 'home/alerts' }],
  ['mqtt://ann:p%40ss@broker.example:1884/t?qos=2&cleansession=no', { ...standard, port: 1884, user: 'ann', password: 'p@ss', topic: 't' }],
  ['mqtts://broker.example/a//b%20c/?retained=yes', { port: 8883, isEncrypted: true, topic: 'a//b c/', isRetained: true }],
  ['mqtts://broker.example/t?disabletlsverification=yes&clientid=home-1', { acceptsAnyCertificate: true, clientId: 'home-1' }],
  ['mqtts://broker.example/t?disabletls=yes', { port: 1883, isEncrypted: false }],
  ['mqtt://[::1]:1883/t', { hostname: '[::1]' }],
] as const)
  test(`mqtt: reads ${address}`, () => assert.partialDeepStrictEqual(publicationBy(address), expected))

test('mqtt: the payload is the text, or JSON', () => {
  assert.equal(publicationBy('mqtt://h/t').payload, `${message.title}\n\n${message.body}\n\n${message.link}`)
  assert.deepEqual(JSON.parse(publicationBy('mqtt://h/t?template=json').payload), {
    key: message.key,
    title: message.title,
    message: message.body,
    severity: 'firing',
    system: 'db',
    link: message.link,
  })
})

test('mqtt: the client id is of the message and has the form that every broker accepts', () => {
  const { clientId } = publicationBy('mqtt://h/t')
  assert.match(clientId, /^[0-9a-zA-Z]{23}$/)
  assert.equal(publicationBy('mqtt://h/t').clientId, clientId)
  assert.notEqual(publicationBy('mqtt://h/t', { message: { key: 'other' } }).clientId, clientId)
})

for (const template of ['', '?template=json'])
  test(`mqtt: a payload has a limited size${template}`, () => {
    const long = { title: '\u0001'.repeat(50_000), body: '\u0001'.repeat(500_000) }
    assert.ok(Buffer.byteLength(publicationBy(`mqtt://h/t${template}`, { message: long }).payload) < 40_000)
  })

for (const address of [
  'mqtt://h/t?clientid=a%0D%0AFLUSHALL%0D%0A',
  'mqtt://a%0Ab:c@h/t',
  'mqtt://host',
  'mqtt://host/',
  'mqtt:///t',
  'mqtt://host/a/#b',
  'mqtt://host/a/%23',
  'mqtt://host/a/+/b',
  'mqtt://host/a%00b',
  `mqtt://host/${'a'.repeat(1001)}`,
  'mqtt://:password@host/t',
  'mqtt://host/t?retained=perhaps',
  'mqtt://host/t?template=xml',
])
  test(`mqtt refuses ${address.slice(0, 40)}`, () => assert.throws(() => publicationBy(address), AddressError))
