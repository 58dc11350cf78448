import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSystem } from '../../api/system-record.ts'
import { findSystem } from './find-system.ts'

const first = readSystem({ id: 'aaaaaaaaaaaaaaa', name: 'nas' })
const second = readSystem({ id: 'bbbbbbbbbbbbbbb', name: 'nas' })

test('§2 server route: findSystem finds a system by its name', () => assert.equal(findSystem([first], 'nas'), first))

test('findSystem distinguishes two systems of the same name by id', () =>
  assert.equal(findSystem([first, second], 'bbbbbbbbbbbbbbb'), second))

test('findSystem is undefined for an unknown name', () => assert.equal(findSystem([first], 'other'), undefined))
