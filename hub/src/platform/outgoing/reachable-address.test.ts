import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesForAdmins, isReachableForAdmins, UnreachableError } from './reachable-address.ts'

for (const address of ['127.0.0.1', '10.0.0.1', '192.168.1.5', '::1', 'fd00::1', '8.8.8.8', '2001:db8::1', '::ffff:10.0.0.1'])
  test(`isReachableForAdmins: true for ${address}`, () => assert.ok(isReachableForAdmins(address)))

for (const address of [
  '169.254.169.254',
  '0.0.0.0',
  '::',
  'fe80::1',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
  '::ffff:169.254.169.254',
  '',
])
  test(`isReachableForAdmins: false for ${JSON.stringify(address)}`, () => assert.ok(!isReachableForAdmins(address)))

test('addressesForAdmins refuses a link-local address and a name that does not resolve', async () => {
  assert.deepEqual(await addressesForAdmins('127.0.0.1'), ['127.0.0.1'])
  await assert.rejects(addressesForAdmins('169.254.169.254'), UnreachableError)
  await assert.rejects(addressesForAdmins('nobody.invalid'), UnreachableError)
})

test('addressesForAdmins stops the name lookup when the signal is aborted', async () => {
  await assert.rejects(
    addressesForAdmins('localhost', AbortSignal.abort()),
    new UnreachableError('Cannot find the host "localhost": the name servers do not answer'),
  )
})
