import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError, readAddress, webScheme, wholeOption } from './address.ts'

test('readAddress returns the decoded parts of an address and keeps their case', () => {
  const address = readAddress('Slack://us%40er:p%2Fw@Host.Example:8080/A%20b//c%zz?Key=1&key=2&empty=&list=a,%20b,,c#top')
  const { scheme, user, password, host, hostname, port, path, rawPath, fragment } = address
  assert.deepEqual(
    { scheme, user, password, host, hostname, port, path, rawPath, fragment },
    {
      scheme: 'slack',
      user: 'us@er',
      password: 'p/w',
      host: 'Host.Example:8080',
      hostname: 'Host.Example',
      port: '8080',
      path: ['A b', 'c%zz'],
      rawPath: '/A%20b//c%zz',
      fragment: 'top',
    },
  )
  assert.deepEqual([address.option('KEY'), address.option('nothing', 'empty'), address.list('list')], ['1', undefined, ['a', 'b', 'c']])
})

test('Address.flag accepts the usual spellings of yes and no, and throws for other text', () => {
  const { flag } = readAddress('ntfy://h/t?a=yes&b=0&c=perhaps&D=True')
  assert.deepEqual([flag('a', false), flag('b', true), flag('d', false), flag('e', true)], [true, false, true, true])
  assert.throws(() => flag('c', false), AddressError)
})

for (const [query, scheme] of [
  ['', 'https'],
  ['?disabletls=yes', 'http'],
  ['?scheme=HTTP', 'http'],
  ['?scheme=https&disabletls=no', 'https'],
] as const)
  test(`webScheme reads the scheme from "${query}"`, () => assert.equal(webScheme(readAddress(`ntfy://h/t${query}`)), scheme))

for (const [text, value] of [
  ['5', 5],
  ['-2', -2],
  ['+3', 3],
] as const)
  test(`wholeOption reads ${text}`, () =>
    assert.equal(wholeOption(readAddress(`ntfy://h/t?n=${encodeURIComponent(text)}`), 'n', [-2, 10]), value))

for (const text of ['11', '-3', '1.5', 'x', '99999999999'])
  test(`wholeOption refuses ${text}`, () =>
    assert.throws(() => wholeOption(readAddress(`ntfy://h/t?n=${text}`), 'n', [-2, 10]), AddressError))
