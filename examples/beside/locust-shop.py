from locust import HttpUser, between, constant, task


class Reader(HttpUser):
    weight = 3
    wait_time = between(0.02, 0.06)

    @task(4)
    def list_books(self):
        self.client.get("/books?q=load", name="/books")

    @task(1)
    def read_book(self):
        with self.client.get("/books/7", name="/books/[id]", catch_response=True) as answer:
            if answer.json()["id"] != 7:
                answer.failure("another book")


class Buyer(HttpUser):
    weight = 1
    wait_time = constant(0.05)

    def on_start(self):
        token = self.client.post("/login", json={"name": "ada"}).json()["token"]
        self.client.headers["Authorization"] = f"Bearer {token}"

    @task
    def order(self):
        self.client.post("/orders", json={"bookId": 7})
