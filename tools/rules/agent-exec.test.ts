import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSource, isTest, listFiles, readSource } from './source-tree.ts'

const agent = listFiles().filter((path) => path.startsWith('agent/src/') && isSource(path) && !isTest(path))
const without = (...paths: readonly string[]) => agent.filter((path) => !paths.includes(path))

test('bug class 30: only command.ts of the agent calls the runtime to run a program', () => {
  const callers = without('agent/src/runtime/command.ts').filter((path) =>
    /\bexec(Kill)?\s*\(|\.exec\b(?!\()/.test(withoutPatterns(readSource(path))),
  )
  assert.deepEqual(callers, ['agent/src/runtime/node-runtime.ts'])
})

test('bug class 30: only one file of the agent uses child processes, and it starts no shell', () => {
  const knowing = agent.filter((path) => /child_process|\beval\b|new Function|node:vm|node:cluster/.test(readSource(path)))
  assert.deepEqual(knowing, ['agent/src/runtime/node/programs.ts'])
  assert.doesNotMatch(readSource('agent/src/runtime/node/programs.ts'), /shell:|exec\(['"`]|execSync|execFile|\/bin\/sh|\bfork\(/)
})

test('bug class 30: code that responds to a hub cannot reach a command', () => {
  const answering = agent.filter((path) => path.startsWith('agent/src/link/'))
  assert.deepEqual(
    answering.filter((path) => /command\.ts['"]/.test(readSource(path))),
    [],
  )
})

const rust = listFiles().filter((path) => path.startsWith('agent/native/src/') && path.endsWith('.rs'))

test('bug class 30: only one file of the native host starts programs, from a fixed list, and never through a shell', () => {
  const knowing = rust.filter((path) => /process::Command|Command::new|execve|posix_spawn|\bfork\(/.test(readSource(path)))
  // The second is only for the command `update`, see the next test.
  assert.deepEqual(knowing.toSorted(), ['agent/native/src/machine/programs.rs', 'agent/native/src/update/service.rs'])
  const programs = readSource('agent/native/src/machine/programs.rs')
  assert.doesNotMatch(programs, /"(?:\/bin\/)?(?:sh|bash)"|"-c"/)
  assert.match(programs, /if !is_listed\(/)
})

test('bug class 30: only the command line of the native host reaches an update, and code of an update starts only two programs', () => {
  const reaching = rust.filter((path) => /\bupdate::/.test(readSource(path)) && !path.startsWith('agent/native/src/update'))
  assert.deepEqual(reaching, ['agent/native/src/main.rs'])
  assert.match(readSource('agent/native/src/main.rs'), /&& command == "update"\n {4}\{\n {8}return update::run\(rest\);/)
  const started = [...readSource('agent/native/src/update/service.rs').matchAll(/Command::new\((.*?)\)/g)].map(([, what]) => what)
  assert.deepEqual(started, ['program', '"systemctl"'])
})

/** Pattern matching also has a method `exec`: `/x/.exec(text)`, `PATTERN.exec(text)`. */
const withoutPatterns = (text: string): string => text.replaceAll(/(\/[a-z]*|[A-Z_]{2,}|pattern)\.exec\(/g, '')
