# What scripts in Python do with a hub: address, e-mail, password and a system's id in, one JSON line of findings out.
import json
import queue
import sys
import threading

from pocketbase import PocketBase
from pocketbase.utils import ClientResponseError

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

events = queue.Queue()


def listen():
    systems.subscribe(lambda message: events.put([message.action, message.record.id, message.record.name]))


# The client connects in a thread of its own and does not say when it hears. Only where that thread is known to have ended
# does this script connect anew: one that is subscribed and hears nothing is the hub's fault, and fails.
ended = queue.Queue()
threading.excepthook = lambda failure: ended.put(failure.exc_value)
MOST_TRIES = 100
heard, tries = None, 0
listen()
while heard is None:
    tries += 1
    if tries > MOST_TRIES:
        raise RuntimeError("subscribed, and heard of no change")
    if not ended.empty():
        print(f"the client's thread ended: {ended.get()!r}", file=sys.stderr)
        systems.unsubscribe()
        listen()
    systems.update(system, {"name": "called"})
    try:
        heard = events.get(timeout=0.2)
    except queue.Empty:
        pass
made = systems.create({"name": "new", "host": "127.0.0.1", "port": "1", "users": [session.record.id]})
systems.update(made.id, {"name": "newer"})
systems.delete(made.id)
lives = [heard]
while lives[-1][0] != "delete":
    lives.append(events.get(timeout=20))
found["heard"] = [[action, name] for action, id, name in lives if id == made.id]
found["gone"] = refused(lambda: systems.get_one(made.id))
systems.unsubscribe()

found["health"] = client.health.check().message
client.auth_store.clear()
client.admins.auth_with_password(admin_email, admin_password)
found["admin lists"] = len(client.collection("universal_tokens").get_full_list()) >= 0
print(json.dumps(found), flush=True)
