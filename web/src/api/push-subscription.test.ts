import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelAddressOf, pushObstacle } from './push-subscription.ts'

test("channelAddressOf writes a push subscription in the hub's format", () => {
  const keys = { p256dh: 'BPub-key_', auth: 'secret-_' }
  assert.equal(
    channelAddressOf('https://fcm.example/fcm/send/a:b%2Fc', keys),
    'webpush://fcm.example/fcm/send/a:b%2Fc?p256dh=BPub-key_&auth=secret-_',
  )
  assert.equal(
    channelAddressOf('https://push.example:8443/w/?token=x%2By%3D', keys),
    'webpush://push.example:8443/w/?token=x%2By%3D&p256dh=BPub-key_&auth=secret-_',
  )
  assert.equal(channelAddressOf('https://push.example/w', { auth: 'x' }), undefined)
  assert.equal(channelAddressOf('http://push.example/w', keys), undefined)
})

test('pushObstacle returns the first reason why the browser cannot receive notifications', () => {
  const able = { isSecureContext: true, isAble: true, permission: 'default' } as const
  assert.equal(pushObstacle(able), undefined)
  assert.equal(pushObstacle({ ...able, permission: 'denied' }), 'denied')
  assert.equal(pushObstacle({ ...able, permission: 'denied', isAble: false }), 'unsupported')
  assert.equal(pushObstacle({ isSecureContext: false, isAble: false, permission: 'denied' }), 'insecure')
})
