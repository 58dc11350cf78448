# What scripts in Python do with a hub: address, e-mail, password and a system's id in, one JSON line of findings out.
import json
import queue
import sys
import threading

from pocketbase import PocketBase
from pocketbase.services.realtime_service import RealtimeService
from pocketbase.utils import ClientResponseError

try:
    from pocketbase.services.sse import EventLoop, SSEClient
except ImportError:  # where 0.15 has them
    from pocketbase.services.utils.sse import EventLoop, SSEClient

WAIT_AT_MOST_S = 60

address, email, password, admin_email, admin_password, system = sys.argv[1:7]
client = PocketBase(address)
users, systems = client.collection("users"), client.collection("systems")


def refused(call):
    try:
        call()
    except ClientResponseError as error:
        return [error.status, (error.data or {}).get("message")]
    return None


found = {"wrong password": refused(lambda: users.auth_with_password(email, "wrong"))}
session = users.auth_with_password(email, password)
found["signed in"] = [session.record.id, session.is_valid]
found["refreshed"] = users.auth_refresh().is_valid
found["all"] = len(systems.get_full_list(batch=3, query_params={"sort": "+name"}))
page = systems.get_list(1, 2, {"sort": "-name", "filter": 'status != "nothing"'})
found["page"] = [page.page, page.per_page, page.total_items, len(page.items)]
found["nobody's"] = refused(lambda: systems.get_one("sys000000000003"))
found["no such"] = refused(lambda: systems.get_first_list_item('name = "nobody"'))
found["one"] = systems.get_one(system).id

# The client starts the thread that reads the stream before it listens for PB_CONNECT; on a busy machine that event is read
# before anybody listens, and the client waits for ever. Here the thread starts with the first listener.
plain_listen = SSEClient.add_event_listener


def listen_and_start(source, event, callback):
    plain_listen(source, event, callback)
    if source._loop_thread.ident is None:
        threading.Thread.start(source._loop_thread)


EventLoop.start = lambda loop: None
SSEClient.add_event_listener = listen_and_start

# The client subscribes in that thread, tells nobody when it has, and swallows what fails there.
subscribed = queue.Queue()
plain_submit = RealtimeService._submit_subscriptions


def submit_and_tell(service):
    try:
        plain_submit(service)
    except Exception as error:
        subscribed.put(error)
        raise
    subscribed.put(None)


RealtimeService._submit_subscriptions = submit_and_tell

events = queue.Queue()
systems.subscribe(lambda message: events.put([message.action, message.record.id, message.record.name]))
failure = subscribed.get(timeout=WAIT_AT_MOST_S)
if failure is not None:
    raise failure


def heard_of(record):
    action, id, name = events.get(timeout=WAIT_AT_MOST_S)
    if id != record:
        raise RuntimeError(f"heard of {id}, not of {record}")
    return [action, name]


# Each change is heard before the next one is made: for a slow reader the hub merges events about one record.
systems.update(system, {"name": "called"})
found["heard"] = [heard_of(system)]
made = systems.create({"name": "new", "host": "127.0.0.1", "port": "1", "users": [session.record.id]})
found["heard"].append(heard_of(made.id))
systems.update(made.id, {"name": "newer"})
found["heard"].append(heard_of(made.id))
systems.delete(made.id)
found["heard"].append(heard_of(made.id))
found["gone"] = refused(lambda: systems.get_one(made.id))
systems.unsubscribe()

found["health"] = client.health.check().message
client.auth_store.clear()
client.admins.auth_with_password(admin_email, admin_password)
found["admin lists"] = len(client.collection("universal_tokens").get_full_list()) >= 0
print(json.dumps(found), flush=True)
