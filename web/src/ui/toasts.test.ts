import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { closeToast, onToastsChange, shownToasts, showToast } from './toasts.ts'

test('§9 toasts: one is shown at a time, the newest', () => {
  showToast({ title: 'first' })
  showToast({ title: 'second' })
  assert.deepEqual(
    shownToasts().map(({ title, isOpen }) => [title, isOpen]),
    [['second', true]],
  )
})

test('§9 toasts: a closed one is removed after 1,000,000 ms', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  showToast({ title: 'closing' })
  const [toast] = shownToasts()
  assert.ok(toast !== undefined)
  closeToast(toast.id)
  mock.timers.tick(999_999)
  assert.deepEqual(
    shownToasts().map(({ isOpen }) => isOpen),
    [false],
  )
  mock.timers.tick(1)
  assert.deepEqual(shownToasts(), [])
  mock.timers.reset()
})

test('onToastsChange notifies its subscriber of each change until it unsubscribes', () => {
  let changes = 0
  const stop = onToastsChange(() => changes++)
  showToast({ title: 'heard' })
  stop()
  showToast({ title: 'not heard' })
  assert.equal(changes, 1)
})
